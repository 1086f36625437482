//@ args: --entry price
//@ complete: yes
// A reference to an abstract class: objects of all classes that are derived from it.
struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

class Square : public Shape {
  unsigned char side;

public:
  Square(unsigned char side) : side(side) {}
  int area() const override { return side * side; }
};

class Circle : public Shape {
  int area() const override { return 7; }
};

int price(const Shape &shape, bool fixed) {
  int area = shape.area();
  if (fixed && area == 0) return 0;
  return 100 / area;  //! division-by-zero
}
