// Tests rings of objects that share each other. In a damaged stream, nothing points to the ring any
// longer.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <revctl/objects.h>

namespace rings {

enum Rev { SR_INITIAL = 1 };

int alive = 0;

struct Node {
  Node() { ++alive; }
  Node(const Node&) = delete;
  ~Node() { --alive; }
  std::shared_ptr<Node> next, other;
  std::weak_ptr<Node> seen;
};
SERIALIZE_TYPE(Node) {
  ADD_REF(SR_INITIAL, next);
  ADD_REF(SR_INITIAL, other);
  ADD_REF(SR_INITIAL, seen);
}
SERIALIZE_END
struct Gone : Node {};
SERIALIZE_TYPE(Gone) { ADD_BASE(SR_INITIAL, Node); }
SERIALIZE_END

using Roots = std::vector<std::shared_ptr<Node>>;

std::set<Node*> Reached(const Roots& roots) {
  std::set<Node*> reached;
  std::vector<Node*> next;
  const auto reach = [&](const std::shared_ptr<Node>& node) {
    if (node && reached.insert(node.get()).second) next.push_back(node.get());
  };
  for (const auto& root : roots) reach(root);
  while (!next.empty()) {
    Node* const node = next.back();
    next.pop_back();
    reach(node->next);
    reach(node->other);
  }
  return reached;
}

/// Breaks every ring that the roots reach, so that the objects can be freed.
void Drop(Roots& roots) {
  const auto reached = Reached(roots);
  std::vector<std::shared_ptr<Node>> held;
  for (Node* node : reached) {
    held.push_back(std::move(node->next));
    held.push_back(std::move(node->other));
  }
  roots.clear();
}

revctl::ObjectClasses All() {
  return revctl::ObjectClasses().Add<Node>("Node").Add<Gone, Node>("Gone");
}

/// Returns a stream with two roots. The first points into a ring of three objects. The second has a
/// different class.
std::vector<std::byte> Stream() {
  Roots roots = {std::make_shared<Node>(), std::make_shared<Gone>()};
  roots[0]->next = std::make_shared<Node>();
  roots[0]->next->next = std::make_shared<Node>();
  roots[0]->next->next->next = std::make_shared<Node>();
  roots[0]->next->next->next->next = roots[0]->next;
  roots[1]->other = std::make_shared<Gone>();
  roots[1]->other->seen = roots[0];
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveObjects(SR_INITIAL, All(), roots, bytes).Ok());
  Drop(roots);
  REQUIRE(alive == 0);
  return bytes;
}

}  // namespace rings

using namespace rings;

TEST_CASE("objects: a ring that no root reaches is rejected and freed", "[objects]") {
  std::vector<std::byte> bytes = Stream();
  const auto lenient = All().OnDangling(revctl::Stray::Drop);
  Roots roots;
  REQUIRE(revctl::LoadObjects(bytes, lenient, roots, SR_INITIAL).Ok());
  CHECK(alive == 6);
  Drop(roots);
  CHECK(alive == 0);
  // Find the record of object 1: its size (12) and then its pointer `next` (id 3).
  const std::array<unsigned char, 8> record = {12, 0, 0, 0, 3, 0, 0, 0};
  const auto at = std::search(bytes.begin(), bytes.end(), record.begin(), record.end(),
                              [](std::byte a, unsigned char b) { return a == std::byte{b}; });
  REQUIRE(at != bytes.end());
  at[4] = std::byte{0};
  const revctl::Status status = revctl::LoadObjects(bytes, lenient, roots, SR_INITIAL);
  CHECK_THAT(status.message(),
             Catch::Contains("is shared only by objects that are unreachable from the roots"));
  CHECK(roots.empty());
  CHECK(alive == 0);
}

TEST_CASE("objects: damaged streams keep only objects that roots reach", "[objects]") {
  const std::vector<std::byte> bytes = Stream();
  using revctl::Stray;
  std::size_t loaded = 0, lost = 0;
  for (const Stray stray : {Stray::Refuse, Stray::Drop, Stray::Keep}) {
    const auto classes =
        revctl::ObjectClasses().Add<Node>("Node").OnUnknown(stray).OnDangling(stray);
    const auto known = All().OnDangling(stray);
    for (std::size_t at = revctl::kFileHeaderSize; at < bytes.size(); ++at) {
      for (const int value : {0, 1, 2, 3, 4, 5, 6, 7, 255}) {
        std::vector<std::byte> damaged = bytes;
        damaged[at] = static_cast<std::byte>(value);
        for (const auto* table : {&classes, &known}) {
          Roots roots;
          std::vector<revctl::KeptObject> kept;
          loaded += revctl::LoadObjects(damaged, *table, roots, SR_INITIAL, &kept).Ok();
          lost += alive != static_cast<int>(Reached(roots).size());
          Drop(roots);
        }
      }
    }
  }
  CHECK(lost == 0);
  CHECK(loaded > 500);
}
