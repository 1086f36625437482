package java.lang;

/** What a round of a loop looked at: cells of memory, or one other thing. */
final class XcuteLooks {
    /** wire.rs: cells that there may be. */
    static final int MOST = 4;
    final Object[] objects = new Object[MOST];
    final int[] indices = new int[MOST];
    final int[] places = new int[MOST];
    /** How many cells there are, and how often they were looked at. */
    int cells;
    int looks;

    void clear() {
        for (int i = 0; i < cells; i++) objects[i] = null;
        cells = looks = 0;
    }

    /** Whether there is room for it. */
    boolean add(Object object, int index, int place) {
        looks++;
        for (int i = 0; i < cells; i++) {
            if (objects[i] == object && indices[i] == index && places[i] == place) return true;
        }
        if (cells == MOST) return false;
        objects[cells] = object;
        indices[cells] = index;
        places[cells++] = place;
        return true;
    }

    /** Whether this is all. */
    boolean is(Object object) {
        return cells == 1 && objects[0] == object;
    }

    void take(XcuteLooks other) {
        clear();
        for (int i = 0; i < other.cells; i++) {
            objects[i] = other.objects[i];
            indices[i] = other.indices[i];
            places[i] = other.places[i];
        }
        cells = other.cells;
        looks = other.looks;
    }
}
