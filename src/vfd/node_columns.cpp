// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/node_columns.hpp"

#include "vfd/columns.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace vftr::vfd {

namespace {

// A node's parent is given as the number of steps up the tree from the preceding node. If it takes MostSteps or more,
// or if the parent is not an ancestor of the preceding node, its id is given instead.
constexpr std::uint32_t MostSteps = 32;
// Fewer steps than this are encoded in one number together with the function.
constexpr std::uint32_t StepsWithFunction = 2, Shapes = StepsWithFunction + 1;

// The function that a node is a call of. Many nodes share one.
struct Function {
    std::uint64_t key;
    std::uint16_t module;
    NodeKind kind;
    bool operator==(const Function&) const = default;
};

struct FunctionHash {
    std::size_t operator()(const Function& function) const {
        const std::uint64_t h = (function.key + function.module) * 0x9e3779b97f4a7c15; // Fibonacci hashing, Knuth
        return h ^ h >> 32;
    }
};

// All functions in the order of their first node, with their numbers of nodes.
class Functions {
public:
    std::uint32_t number_of(const Node& node) {
        const Function function{node.key, node.module, node.kind};
        const auto [found, is_new] = numbers_.try_emplace(function, static_cast<std::uint32_t>(all_.size()));
        if (is_new) {
            all_.push_back(function);
            nodes_.push_back(0);
        }
        ++nodes_[found->second];
        return found->second;
    }

    // Renumbers the functions so that those with the most nodes have the smallest numbers. Returns the new numbers,
    // indexed by the old ones.
    std::vector<std::uint32_t> sort() {
        std::vector<std::uint32_t> order(all_.size()), place(all_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return nodes_[a] > nodes_[b]; });
        std::vector<Function> sorted;
        sorted.reserve(all_.size());
        for (std::uint32_t number : order) {
            place[number] = static_cast<std::uint32_t>(sorted.size());
            sorted.push_back(all_[number]);
        }
        all_ = std::move(sorted);
        return place;
    }

    const std::vector<Function>& all() const { return all_; }

private:
    std::vector<Function> all_;
    std::vector<std::uint32_t> nodes_;
    std::unordered_map<Function, std::uint32_t, FunctionHash> numbers_;
};

// Returns the steps from the preceding node to the parent; MostSteps or more encode the parent's id.
std::uint32_t steps_to(std::uint32_t id, const std::vector<std::uint32_t>& parents) {
    const std::uint32_t parent = parents[id];
    std::uint32_t at = id - 1;
    for (std::uint32_t steps = 0; steps < MostSteps && at != NoNode; ++steps, at = parents[at])
        if (at == parent)
            return steps;
    return MostSteps + (id - 1 - parent);
}

// The inverse of steps_to. Returns NoNode if there is no such node.
std::uint32_t parent_at(std::uint32_t id, std::uint64_t steps, const std::vector<Node>& nodes) {
    if (steps >= MostSteps)
        return steps - MostSteps < id ? id - 1 - static_cast<std::uint32_t>(steps - MostSteps) : NoNode;
    std::uint32_t at = id - 1;
    for (; steps != 0 && at != NoNode; --steps)
        at = nodes[at].parent;
    return at;
}

class Encoder {
public:
    explicit Encoder(std::size_t count) : children_(count, 0) {
        parents_.reserve(count);
        functions_of_.reserve(count);
        inclusive_.reserve(count);
        own_.reserve(count);
        exclusive_.reserve(2 * count);
    }

    void add(const Node& node) {
        const auto id = static_cast<std::uint32_t>(parents_.size());
        const std::uint32_t parent = id == 0            ? NoNode
                                     : node.parent < id ? node.parent
                                                        : 0; // a writer that still runs may not change this meanwhile
        parents_.push_back(parent);
        functions_of_.push_back(functions_.number_of(node));
        inclusive_.push_back(node.inclusive);
        own_.push_back(node.inclusive - node.exclusive);
        exclusive_.add(node.exclusive);
        calls_.add(base::zigzag(node.calls - 1));
        folded_.add(node.folded);
        countdown_.add(base::zigzag(static_cast<std::uint64_t>(std::int64_t{node.countdown})));
        flags_.add(node.flags ^ std::exchange(flags_before_, node.flags));
        open_.add(node.open);
        ordinal_.add(base::zigzag(node.ordinal - std::uint64_t{id == 0 ? 0 : children_[parent]++}));
        count_.push_back(node.children);
    }

    std::vector<std::byte> bytes() {
        for (std::size_t id = parents_.size(); id-- > 1;)
            own_[parents_[id]] -= inclusive_[id];
        SparseColumn inclusive, children;
        for (std::size_t id = 0; id < parents_.size(); ++id) {
            inclusive.add(base::zigzag(own_[id]));
            children.add(base::zigzag(count_[id] - std::uint64_t{children_[id]}));
        }
        Column shape, steps;
        add_shape(shape, steps);
        const Column table = functions();
        for (SparseColumn* column : {&calls_, &inclusive, &folded_, &countdown_, &flags_, &open_, &ordinal_, &children})
            column->end();
        return join_columns({table.bytes(), shape.bytes(), steps.bytes(), exclusive_.bytes(), calls_.bytes(),
                             inclusive.bytes(), folded_.bytes(), countdown_.bytes(), flags_.bytes(), open_.bytes(),
                             ordinal_.bytes(), children.bytes()});
    }

private:
    void add_shape(Column& shape, Column& steps) {
        const std::vector<std::uint32_t> place = functions_.sort();
        shape.reserve(2 * parents_.size());
        for (std::uint32_t id = 0; id < parents_.size(); ++id) {
            const std::uint32_t up = id == 0 ? 0 : steps_to(id, parents_);
            shape.add(std::uint64_t{Shapes} * place[functions_of_[id]] + std::min(up, StepsWithFunction));
            if (up >= StepsWithFunction)
                steps.add(up - StepsWithFunction);
        }
    }

    Column functions() const {
        Column table;
        std::uint64_t before = 0;
        for (const Function& function : functions_.all()) {
            table.add(base::zigzag(function.key - std::exchange(before, function.key)));
            table.add(function.module);
            table.add(static_cast<std::uint64_t>(function.kind));
        }
        return table;
    }

    Functions functions_;
    // By node; children_ counts the children found so far, count_ is Node::children.
    std::vector<std::uint32_t> parents_, functions_of_, children_, count_;
    std::vector<std::uint64_t> inclusive_, own_;
    Column exclusive_;
    SparseColumn calls_, folded_, countdown_, flags_, open_, ordinal_;
    std::uint8_t flags_before_ = 0;
};

// Decodes the columns. The times of the nodes are complete after sum().
class Decoder {
public:
    Decoder(ColumnReader columns, std::uint64_t count)
        : table_(columns.part()), shape_(columns.part()), steps_(columns.part()), exclusive_(columns.part()),
          calls_(columns.part()), inclusive_(columns.part()), folded_(columns.part()), countdown_(columns.part()),
          flags_(columns.part()), open_(columns.part()), ordinal_(columns.part()), children_(columns.part()),
          sound_(columns.finished() && count <= shape_.rest()) {}

    bool read(std::vector<Node>& nodes, std::uint64_t count) {
        read_functions();
        nodes.reserve(sound_ ? count : 0);
        for (std::uint32_t id = 0; sound_ && id < count; ++id)
            read_node(id, nodes);
        sound_ &= shape_.finished() && steps_.finished() && exclusive_.finished() && calls_.finished() &&
                  inclusive_.finished() && folded_.finished() && countdown_.finished() && flags_.finished() &&
                  open_.finished() && ordinal_.finished();
        if (sound_)
            sum(nodes);
        return sound_;
    }

private:
    void read_functions() {
        std::uint64_t key = 0;
        while (sound_ && table_.rest() != 0) {
            key += base::unzigzag(table_.next());
            const std::uint64_t module = table_.next(), kind = table_.next();
            sound_ = table_.sound() && module <= 0xffff && kind <= 0xff;
            functions_.push_back({key, static_cast<std::uint16_t>(module), static_cast<NodeKind>(kind)});
        }
    }

    void read_node(std::uint32_t id, std::vector<Node>& nodes) {
        const std::uint64_t shape = shape_.next(), function = shape / Shapes;
        std::uint64_t up = shape % Shapes;
        if (up == StepsWithFunction)
            up += steps_.next();
        Node& node = nodes.emplace_back();
        node.parent = id == 0 ? NoNode : parent_at(id, up, nodes);
        sound_ = function < functions_.size() && (id == 0) == (node.parent == NoNode);
        if (!sound_)
            return;
        node.key = functions_[function].key;
        node.module = functions_[function].module;
        node.kind = functions_[function].kind;
        node.exclusive = exclusive_.next();
        node.calls = base::unzigzag(calls_.next()) + 1;
        node.inclusive = base::unzigzag(inclusive_.next());
        node.folded = folded_.next();
        node.countdown = static_cast<std::int32_t>(base::unzigzag(countdown_.next()));
        node.flags = flags_before_ ^= static_cast<std::uint8_t>(flags_.next());
        node.open = static_cast<std::uint32_t>(open_.next());
        node.ordinal = static_cast<std::uint32_t>(base::unzigzag(ordinal_.next()));
        if (id != 0)
            node.ordinal += nodes[node.parent].children++;
    }

    // Before this, `inclusive` holds only the excess over the sum of the exclusive time and the callees' inclusive
    // times, and `children` the number of children that were found.
    void sum(std::vector<Node>& nodes) {
        for (std::size_t id = nodes.size(); id-- > 0;) {
            nodes[id].inclusive += nodes[id].exclusive;
            if (id != 0)
                nodes[nodes[id].parent].inclusive += nodes[id].inclusive;
        }
        for (Node& node : nodes)
            node.children += static_cast<std::uint32_t>(base::unzigzag(children_.next()));
        sound_ = children_.finished();
    }

    ColumnReader table_, shape_, steps_, exclusive_;
    SparseColumnReader calls_, inclusive_, folded_, countdown_, flags_, open_, ordinal_, children_;
    bool sound_;
    std::vector<Function> functions_;
    std::uint8_t flags_before_ = 0;
};

} // namespace

std::vector<std::byte> node_columns(const ThreadView& thread) {
    Encoder encoder(thread.node_count);
    std::size_t rest = thread.node_count;
    for (std::span<const Node> chunk : thread.node_chunks) {
        chunk = chunk.first(std::min(chunk.size(), rest));
        rest -= chunk.size();
        for (const Node& live : chunk) {
            const Node node = live;
            encoder.add(node);
        }
    }
    return encoder.bytes();
}

std::optional<std::vector<Node>> nodes_of_columns(std::span<const std::byte> columns, std::uint64_t count) {
    std::vector<Node> nodes;
    if (count >= NoNode || !Decoder(ColumnReader(columns), count).read(nodes, count))
        return std::nullopt;
    return nodes;
}

} // namespace vftr::vfd
