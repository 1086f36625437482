// A doubly linked list that forgets to move its end when the last element is removed.
//@ calls: addFirst,addLast,remove
//@ args: --length 2 --post repOk
//@ paths: 11
//@ complete: yes
//@ method: remove
//@ args: --pre isSmall --post repOk
//@ complete: yes

public class DoublyLinkedList {
    static class Node {
        int value;
        Node next, previous;
    }

    Node first, last;
    int size;

    public void addFirst(int value) {
        Node node = new Node();
        node.value = value;
        node.next = first;
        if (first == null) last = node;
        else first.previous = node;
        first = node;
        size++;
    }

    public void addLast(int value) {
        Node node = new Node();
        node.value = value;
        node.previous = last;
        if (last == null) first = node;
        else last.next = node;
        last = node;
        size++;
    }

    public boolean remove(int value) {
        for (Node node = first; node != null; node = node.next) { //! assertion if calls addFirst,addLast,remove or remove
            if (node.value != value) continue;
            if (node.previous == null) first = node.next;
            else node.previous.next = node.next;
            // What is missing: if there is nothing after it, the last one is the one before it.
            if (node.next != null) node.next.previous = node.previous;
            size--;
            return true;
        }
        return false;
    }

    /** Both ways lead through the same nodes, and there are as many as the list says. */
    private boolean repOk() {
        Node before = null;
        int count = 0;
        for (Node node = first; node != null; node = node.next) {
            if (node.previous != before) return false;
            before = node;
            // More than that can only be a circle.
            if (++count > size) return false;
        }
        return before == last && count == size;
    }

    static boolean isSmall(DoublyLinkedList list) {
        return list.size <= 2 && list.repOk();
    }
}
