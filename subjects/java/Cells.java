// A builder that is emptied and filled again, as parsers do.
//@ method: columns
//@ args: --elements 3
//@ complete: yes
import java.util.ArrayList;
import java.util.List;

class Cells {
    static List<List<String>> parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : text.split("\n")) {
            List<String> row = new ArrayList<>();
            StringBuilder cell = new StringBuilder();
            boolean quoted = false;
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == ',' && !quoted) {
                    row.add(cell.toString());
                    cell.setLength(0);
                } else {
                    cell.append(c);
                }
            }
            row.add(cell.toString());
            rows.add(row);
        }
        return rows;
    }

    static void columns(String text) {
        if (text == null) return;
        int columns = -1;
        for (List<String> row : parse(text)) {
            if (columns >= 0 && row.size() != columns) throw new IllegalArgumentException("ragged"); //! uncaught-exception
            columns = row.size();
        }
    }
}
