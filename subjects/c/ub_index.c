//@ args: --entry cell --check ub
//@ complete: yes
// An index that leaves its row, but not the table: no other check sees it.
static int table[4][8];

int cell(unsigned row, unsigned column) {
  if (row > 2 || column > 8) return 0;
  return table[row][column]; //! out-of-bounds
}
