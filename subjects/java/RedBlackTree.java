// A red-black tree that stops too early when both children of a node were red.
//@ calls: insert
//@ args: --length 4 --post repOk
//@ complete: yes
//@ calls: insert,smallest
//@ args: --length 3 --post repOk
//@ complete: yes

public class RedBlackTree {
    static final class Node {
        final int key;
        boolean red = true;
        Node left, right, parent;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;

    public void insert(int key) {
        Node parent = null; //! assertion if calls insert
        for (Node at = root; at != null; at = key < at.key ? at.left : at.right) {
            if (key == at.key) return;
            parent = at;
        }
        Node node = new Node(key);
        node.parent = parent;
        if (parent == null) root = node;
        else if (key < parent.key) parent.left = node;
        else parent.right = node;
        repair(node);
    }

    public int smallest() {
        Node at = root;
        while (at.left != null) at = at.left; //! null-access if calls insert,smallest
        return at.key;
    }

    private void repair(Node node) {
        while (node.parent != null && node.parent.red) {
            Node parent = node.parent, above = parent.parent;
            Node uncle = above.left == parent ? above.right : above.left;
            if (uncle != null && uncle.red) {
                parent.red = false;
                uncle.red = false;
                above.red = true;
                // It must go on with the node above.
                break;
            }
            if (above.left == parent) {
                if (parent.right == node) {
                    rotateLeft(parent);
                    parent = node;
                }
                rotateRight(above);
            } else {
                if (parent.left == node) {
                    rotateRight(parent);
                    parent = node;
                }
                rotateLeft(above);
            }
            parent.red = false;
            above.red = true;
            break;
        }
        // The root is black, unless it was painted red just now.
        if (node == root) root.red = false;
    }

    private void rotateLeft(Node node) {
        Node child = node.right;
        node.right = child.left;
        if (child.left != null) child.left.parent = node;
        replace(node, child);
        child.left = node;
        node.parent = child;
    }

    private void rotateRight(Node node) {
        Node child = node.left;
        node.left = child.right;
        if (child.right != null) child.right.parent = node;
        replace(node, child);
        child.right = node;
        node.parent = child;
    }

    private void replace(Node node, Node child) {
        child.parent = node.parent;
        if (node.parent == null) root = child;
        else if (node.parent.left == node) node.parent.left = child;
        else node.parent.right = child;
    }

    boolean repOk() {
        return root == null || !root.red && height(root, Long.MIN_VALUE, Long.MAX_VALUE) >= 0;
    }

    /** How many black nodes there are on each way down; less than 0 if something is wrong. */
    private static int height(Node node, long low, long high) {
        if (node == null) return 0;
        if (node.key <= low || node.key >= high) return -1;
        if (node.red && (isRed(node.left) || isRed(node.right))) return -1;
        int left = height(node.left, low, node.key), right = height(node.right, node.key, high);
        return left < 0 || left != right ? -1 : left + (node.red ? 0 : 1);
    }

    private static boolean isRed(Node node) {
        return node != null && node.red;
    }
}
