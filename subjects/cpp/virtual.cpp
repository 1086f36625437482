//@ args: --entry draw
//@ complete: yes
// Virtual calls, dynamic_cast, and a pure virtual function that is called while the object is built.
#include <memory>

struct shape {
  shape(bool early) {
    if (early) report();
  }
  virtual ~shape() = default;
  virtual int area() const = 0;
  void report() const { area(); }  //! abort
};

struct square : shape {
  int side;
  square(int side, bool early) : shape(early), side(side) {}
  int area() const override { return side * side; }
};

struct strip : square {
  strip(int side) : square(side, false) {}
  int area() const override { return side; }
};

int draw(unsigned char side, bool early, bool thin) {
  std::unique_ptr<shape> s;
  if (thin) s = std::make_unique<strip>(side);
  else s = std::make_unique<square>(side, early);
  if (s->area() == 144 && !dynamic_cast<strip *>(s.get())) return 10 / (side - 12);  //! division-by-zero
  return 0;
}
