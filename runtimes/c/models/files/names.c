/* From paths to files.
 *
 * A name is a directory, by its number on the disk, and a word in it: so all paths that lead there are the same name. The list holds what differs from
 * the disk, files that were made and names that were removed; directories are the disk's own.
 *
 * **Invariant.** What the system is asked here changes nothing. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MODEL(strcmp)(const char *a, const char *b);

enum { MOST_LINKS = 40 };

static struct MODEL(name) *MODEL(names);   /* what differs from the disk */
static struct MODEL(file) *MODEL(known);   /* files of the disk that are or were open */
static struct MODEL(file) **MODEL(inputs); /* by number in xcute_files */
static struct MODEL(place) MODEL(found);
static char MODEL(path)[XCM_PATH], MODEL(head)[XCM_PATH];

static unsigned MODEL(n_inputs)(void) { return &xcute_n_files ? xcute_n_files : 0; }

static struct MODEL(file) *MODEL(input)(unsigned i) {
  if (!MODEL(inputs)) MODEL(inputs) = calloc(MODEL(n_inputs)(), sizeof *MODEL(inputs));
  if (MODEL(inputs) && !MODEL(inputs)[i]) {
    struct MODEL(file) *file = MODEL(inputs)[i] = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->is_input = 1;
    file->data = (unsigned char *)xcute_files[i].data;
    file->size = xcute_files[i].most;
    file->missing = xcute_files[i].missing;
    file->about.st_mode = S_IFREG | 0644;
    file->about.st_nlink = 1;
    file->about.st_blksize = XCM_BLOCK;
  }
  return MODEL(inputs) ? MODEL(inputs)[i] : NULL;
}

struct MODEL(file) *MODEL(standard_input)(void) {
  for (unsigned i = 0; i < MODEL(n_inputs)(); i++)
    if (!xcute_files[i].name) return MODEL(input)(i);
  return NULL;
}

/* The name may be symbolic: whether it is that of an input is decided. */
struct MODEL(file) *MODEL(input_file)(const char *name) {
  if (!MODEL(n_inputs)()) return NULL;
  while (name[0] == '.' && name[1] == '/') name += 2;
  for (unsigned i = 0; i < MODEL(n_inputs)(); i++)
    if (xcute_files[i].name && *xcute_files[i].name && MODEL(strcmp)(name, xcute_files[i].name) == 0) return MODEL(input)(i);
  return NULL;
}

void MODEL(forget_input)(const struct MODEL(file) *file) {
  for (unsigned i = 0; i < MODEL(n_inputs)(); i++)
    if (xcute_files[i].name && MODEL(input)(i) == file) xcute_files[i].name = "";
}

int MODEL(any_names)(void) { return MODEL(names) != NULL; }

void MODEL(remember)(struct MODEL(file) *file) {
  file->next = MODEL(known);
  MODEL(known) = file;
}

static struct MODEL(name) *MODEL(listed)(const struct MODEL(place) *place) {
  for (struct MODEL(name) *name = MODEL(names); name; name = name->next)
    if (name->number == place->parent.st_ino && name->device == place->parent.st_dev && strcmp(name->base, place->base) == 0) return name;
  return NULL;
}

void MODEL(bind)(const struct MODEL(place) *place, struct MODEL(file) *file) {
  struct MODEL(name) *name = MODEL(listed)(place);
  __xcute_touched();
  if (!name) {
    name = malloc(sizeof *name);
    if (!name) return;
    size_t length = strlen(place->base) + 1;
    *name = (struct MODEL(name)){place->parent.st_dev, place->parent.st_ino, malloc(length), NULL, MODEL(names)};
    if (name->base) memcpy(name->base, place->base, length);
    MODEL(names) = name;
  }
  name->file = file;
}

int MODEL(may_change)(int directory, const struct MODEL(place) *place) { return faccessat(directory, place->directory, W_OK | X_OK, AT_EACCESS) == 0; }

/* Cuts the path before its last word; 0: that is not a word that could name a file. */
static int MODEL(cut)(struct MODEL(place) *place) {
  char *slash = strrchr(MODEL(path), '/');
  place->path = MODEL(path);
  place->base = slash ? slash + 1 : MODEL(path);
  if (!*place->base || strcmp(place->base, ".") == 0 || strcmp(place->base, "..") == 0) return 0;
  size_t length = slash ? (size_t)(slash - MODEL(path)) : 0;
  memcpy(MODEL(head), MODEL(path), length);
  if (slash && !length) MODEL(head)[length++] = '/';
  if (!slash) MODEL(head)[length++] = '.';
  MODEL(head)[length] = 0;
  place->directory = MODEL(head);
  return 1;
}

/* The path becomes what the link says; 0: errno says why not. */
static int MODEL(follow_link)(int directory, const struct MODEL(place) *place) {
  static char target[XCM_PATH];
  ssize_t n = readlinkat(directory, place->path, target, sizeof target - 1);
  if (n < 0) return 0;
  size_t length = target[0] == '/' ? 0 : strlen(MODEL(head)) + 1;
  if (length + (size_t)n >= sizeof MODEL(path)) {
    errno = ENAMETOOLONG;
    return 0;
  }
  if (length) {
    memcpy(MODEL(path), MODEL(head), length - 1);
    MODEL(path)[length - 1] = '/';
  }
  memcpy(MODEL(path) + length, target, (size_t)n);
  MODEL(path)[length + (size_t)n] = 0;
  return 1;
}

/* One step: 1: the place is found, or there is none; 0: it was a link, which was followed. */
static int MODEL(step)(int directory, int follow, struct MODEL(place) *place) {
  place->name = NULL;
  place->file = NULL;
  place->error = errno = 0;
  if (!MODEL(cut)(place)) {
    place->directory = NULL;
    if (fstatat(directory, MODEL(path), &place->about, 0) < 0) place->error = errno;
    else if (!S_ISDIR(place->about.st_mode)) place->error = ENOTDIR;
    return 1;
  }
  if (fstatat(directory, MODEL(head), &place->parent, 0) < 0 || !S_ISDIR(place->parent.st_mode)) {
    place->error = errno ? errno : ENOTDIR;
    return 1;
  }
  place->name = MODEL(listed)(place);
  if (place->name) {
    place->file = place->name->file;
    if (!place->file) place->error = ENOENT;
    return 1;
  }
  if (fstatat(directory, MODEL(path), &place->about, AT_SYMLINK_NOFOLLOW) < 0) {
    place->error = errno;
    return 1;
  }
  if (S_ISLNK(place->about.st_mode) && follow) {
    if (MODEL(follow_link)(directory, place)) return 0;
    place->error = errno;
    return 1;
  }
  for (struct MODEL(file) *file = MODEL(known); file && !place->file; file = file->next)
    if (file->about.st_ino == place->about.st_ino && file->about.st_dev == place->about.st_dev) place->file = file;
  return 1;
}

struct MODEL(place) *MODEL(find)(int directory, const char *path, int follow) {
  struct MODEL(place) *place = &MODEL(found);
  int before = errno;
  errno = 0;
  if (!__xcute_name(path, MODEL(path), sizeof MODEL(path))) {
    memset(place, 0, sizeof *place);
    place->error = ENAMETOOLONG;
    errno = before;
    return place;
  }
  int links = 0;
  while (!MODEL(step)(directory, follow, place))
    if (++links > MOST_LINKS) {
      place->error = ELOOP;
      break;
    }
  errno = before;
  return place;
}
