/* What the containers of libstdc++ do not have in their headers: links of lists, trees, sizes of hash tables. Names are those of the
 * Itanium ABI; `this` is the first argument. */

#include "runtime.h"

/* std::list */
struct link {
  struct link *next, *previous;
};

void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *this, struct link *before) {
  this->next = before;
  this->previous = before->previous;
  before->previous->next = this;
  before->previous = this;
}

void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *this) {
  this->previous->next = this->next;
  this->next->previous = this->previous;
}

/* The other way round. */
void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct link *this) {
  struct link *at = this;
  do {
    struct link *next = at->next;
    at->next = at->previous;
    at->previous = next;
    at = next;
  } while (at != this);
}

/* The elements behind `list` are those that were behind another one, which began with `first` and ended with `last`; none where those are `old`. */
static void adopt(struct link *list, struct link *old, struct link *first, struct link *last) {
  if (first == old) {
    list->next = list->previous = list;
  } else {
    list->next = first;
    list->previous = last;
    first->previous = last->next = list;
  }
}

void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct link *one, struct link *other) {
  struct link *first = one->next, *last = one->previous;
  adopt(one, other, other->next, other->previous);
  adopt(other, one, first, last);
}

/* Moves the stretch from `first` up to, but without, `end`. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct link *this, struct link *first, struct link *end) {
  if (this == end) return;
  struct link *last = end->previous, *before = first->previous;
  before->next = end;
  end->previous = before;
  this->previous->next = first;
  first->previous = this->previous;
  last->next = this;
  this->previous = last;
}

/* std::map, std::set: trees that keep their order. They are not balanced, which nobody can tell but by the time it takes; so all nodes
 * are black, and only the header is red, as iterators expect. The header's parent is the root, its left and right are the first and the
 * last node. */
struct node {
  int color;
  struct node *parent, *left, *right;
};
enum { BLACK = 1 };

static struct node *leftmost(struct node *node) {
  while (node->left != NULL) node = node->left;
  return node;
}

static struct node *rightmost(struct node *node) {
  while (node->right != NULL) node = node->right;
  return node;
}

struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *node) {
  if (node->right != NULL) return leftmost(node->right);
  struct node *parent = node->parent;
  while (node == parent->right) {
    node = parent;
    parent = parent->parent;
  }
  /* The root without a right child: its parent is the header, whose right it is. */
  return node->right == parent ? node : parent;
}

struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *node) {
  if (node->color != BLACK) return node->right;
  if (node->left != NULL) return rightmost(node->left);
  struct node *parent = node->parent;
  while (node == parent->left) {
    node = parent;
    parent = parent->parent;
  }
  return parent;
}

struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *node) {
  return _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(node);
}

struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *node) {
  return _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(node);
}

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, struct node *node, struct node *parent,
                                                                       struct node *header) {
  *node = (struct node){BLACK, parent, NULL, NULL};
  if (parent == header) {
    header->parent = header->left = header->right = node;
  } else if (left) {
    parent->left = node;
    if (parent == header->left) header->left = node;
  } else {
    parent->right = node;
    if (parent == header->right) header->right = node;
  }
}

/* Puts one node, or none, where another one was. */
static void replace(struct node *old, struct node *new, struct node *header) {
  if (header->parent == old) {
    header->parent = new;
  } else if (old->parent->left == old) {
    old->parent->left = new;
  } else {
    old->parent->right = new;
  }
  if (new != NULL) new->parent = old->parent;
}

struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *node, struct node *header) {
  if (header->left == node) header->left = node->right != NULL ? leftmost(node->right) : node->parent;
  if (header->right == node) header->right = node->left != NULL ? rightmost(node->left) : node->parent;
  if (node->left == NULL || node->right == NULL) {
    replace(node, node->left != NULL ? node->left : node->right, header);
    return node;
  }
  struct node *next = leftmost(node->right);
  if (next != node->right) {
    replace(next, next->right, header);
    next->right = node->right;
    next->right->parent = next;
  }
  replace(node, next, header);
  next->left = node->left;
  next->left->parent = next;
  return node;
}

/* std::unordered_map, std::unordered_set */
struct policy {
  float most;
  size_t next_resize;
};
struct answer {
  _Bool grow;
  size_t buckets;
};

size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct policy *this, size_t least) {
  size_t buckets = least < 13 ? 13 : least | 1;
  this->next_resize = (size_t)((double)buckets * (double)this->most);
  return buckets;
}

struct answer _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(struct policy *this, size_t buckets, size_t elements,
                                                                        size_t more) {
  if (elements + more <= this->next_resize) return (struct answer){0, 0};
  size_t least = (size_t)((double)(elements + more) / (double)this->most) + 1;
  if (least < buckets) {
    this->next_resize = (size_t)((double)buckets * (double)this->most);
    return (struct answer){0, 0};
  }
  size_t wanted = least < 2 * buckets ? 2 * buckets : least;
  return (struct answer){1, _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(this, wanted)};
}
