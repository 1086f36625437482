//! Where the project of a file begins, and where its results are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

use crate::hash::sha256;
use crate::project::{FILE, Manifest, OUT};
use crate::talk;

/// The folders of the editor, and what is known of projects.
pub struct Places {
    pub folders: Vec<PathBuf>,
    /// Where the results of the editor go.
    own: PathBuf,
    /// Removes them at the end, where there is no cache.
    _temporary: Option<TempDir>,
    /// The results directory that a file `xcute.toml` asks for, as of this time.
    asked: BTreeMap<PathBuf, (Option<SystemTime>, PathBuf)>,
}

impl Places {
    /// Without folders. Results go to the cache, or where there is none, to a directory that ends with this process.
    pub fn new() -> Places {
        let temporary = if xcute_cache::place().is_none() { tempfile::tempdir().ok() } else { None };
        let own = xcute_cache::place().or_else(|| Some(temporary.as_ref()?.path().to_owned())).unwrap_or_else(std::env::temp_dir);
        Places { folders: Vec::new(), own: own.join("editor"), _temporary: temporary, asked: BTreeMap::new() }
    }

    /// The directory of the project that a file belongs to: that of the nearest `xcute.toml`, the folder of the editor, or its own.
    pub fn root(&self, file: &Path) -> PathBuf {
        let parent = file.parent().unwrap_or(Path::new("/"));
        let declared = parent.ancestors().find(|directory| directory.join(FILE).is_file());
        let folder = || self.folders.iter().filter(|folder| file.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
        declared.map(Path::to_owned).or_else(|| folder().cloned()).unwrap_or_else(|| parent.to_owned())
    }

    /// Where the results of a test go that the editor asks for.
    pub fn results(&self, root: &Path, file: &Path, name: &str) -> PathBuf {
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "_.".contains(c) { c } else { '-' }).take(60).collect();
        let whole = sha256(format!("{}\n{name}", file.display()).as_bytes());
        self.of_editor(root).join(format!("{plain}-{}", &whole[..8]))
    }

    fn of_editor(&self, root: &Path) -> PathBuf {
        self.own.join(&sha256(root.as_os_str().as_encoded_bytes())[..16])
    }

    /// The directories that may hold results which concern a file.
    pub fn of(&mut self, file: &Path) -> BTreeSet<PathBuf> {
        let root = self.root(file);
        let above = file.ancestors().skip(1).take_while(|directory| directory.starts_with(&root)).map(|directory| directory.join(OUT));
        let mut all: BTreeSet<PathBuf> = above.filter(|place| place.is_dir()).collect();
        all.insert(self.of_editor(&root));
        all.insert(self.asked(&root));
        all
    }

    /// Where the project says that its results go.
    fn asked(&mut self, root: &Path) -> PathBuf {
        let file = root.join(FILE);
        let stamp = std::fs::metadata(&file).and_then(|data| data.modified()).ok();
        if self.asked.get(root).is_none_or(|(known, _)| *known != stamp) {
            let manifest = stamp.and_then(|_| Manifest::read(&file).inspect_err(talk::error).ok());
            let out = root.join(manifest.map_or_else(|| OUT.into(), |manifest| manifest.out));
            self.asked.insert(root.to_owned(), (stamp, out));
        }
        self.asked[root].1.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_begin_where_they_say_so() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        std::fs::create_dir_all(root.join("a/b/xcute-out")).unwrap();
        let mut places = Places { folders: vec![root.to_owned()], ..Places::new() };
        let file = root.join("a/b/f.c");
        assert_eq!(places.root(&file), root);
        assert!(places.of(&file).contains(&root.join("a/b/xcute-out")));
        let entry = "[defaults]\nout = \"res\"\n[[entry]]\nname = \"f\"\nlanguage = \"c\"\nfiles = [\"f.c\"]\nentry = \"f\"\n";
        std::fs::write(root.join("a/xcute.toml"), entry).unwrap();
        assert_eq!(places.root(&file), root.join("a"));
        assert!(places.of(&file).contains(&root.join("a/res")));
        places.folders.clear();
        assert_eq!(places.root(&root.join("g.c")), root);
        assert_ne!(places.results(root, &file, "f(int)"), places.results(root, &file, "f[int]"));
    }
}
