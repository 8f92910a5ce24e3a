// The site word: the access that last changed a shadow word.
//
//   63 .. 34 | 33 .. 31 | 30 .. 21 | 20 .. 0
//     site   |   kind   |   who    | tag: hash of the shadow word that it goes with
//
// The two words are not changed together but one after the other. The tag tells whether a site word
// belongs to a shadow word; one that does not is ignored.
//
// `who` supplies what the shadow word may have forgotten: the thread or, in states that forget the
// block, a hash of the block.
#pragma once

#include "context.h"

namespace hirace::gpu {

constexpr unsigned site_shift = 34;
constexpr unsigned kind_shift = 31;
constexpr unsigned who_shift = 21;
constexpr unsigned who_bits = kind_shift - who_shift;
constexpr SiteWord kind_mask = 7;
constexpr SiteWord who_mask = (SiteWord{1} << who_bits) - 1;
constexpr SiteWord tag_mask = (SiteWord{1} << who_shift) - 1;
static_assert(site_shift + site_bits <= 64 && who_bits == max_thread_bits,
              "the fields fit into the word");

// Multiplicative hashing (Knuth, section 6.4): the top bits depend on all bits.
__device__ __forceinline__ SiteWord hash(SiteWord word, unsigned bits) { return (word * 0x9e3779b97f4a7c15u) >> (64 - bits); }
__device__ __forceinline__ SiteWord tag_of(SiteWord word) { return hash(word, who_shift); }
__device__ __forceinline__ SiteWord block_hash(Word word) { return hash(word & GlobalLayout::block_field, who_bits); }

template <class Layout>
__device__ __forceinline__ bool forgets_block(typename Layout::Word word) {
  return !Layout::of_block && (kept_fields<Layout>(Layout::state_of(word)) & Layout::block_field) == 0;
}

// The site word for an access by `me` that changed a shadow word to `word`.
template <class Layout>
__device__ __forceinline__ SiteWord make_site_word(SiteId site, AccessKind kind, typename Layout::Word word,
                                                   typename Layout::Word me) {
  const SiteWord who = forgets_block<Layout>(word) ? block_hash(me) : Layout::thread_of(me);
  return (SiteWord{site & site_mask} << site_shift) | (SiteWord{static_cast<std::uint32_t>(kind)} << kind_shift) | (who << who_shift) |
         tag_of(word);
}

// The known facts about the access that another one raced with.
struct Prior {
  PriorKnown known;
  SiteId site;
  AccessKind kind;
  std::uint64_t block;  // if the thread is known
  std::uint32_t thread;
};

__device__ __forceinline__ constexpr bool is_read(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::volatile_read;
}

__device__ __forceinline__ bool is_atomic(AccessKind kind) { return folded(kind) >= Access::block_atomic; }

__device__ __forceinline__ bool conflicting(AccessKind a, AccessKind b, bool different_blocks) {
  if (is_read(a) && is_read(b)) return false;
  if (!is_atomic(a) || !is_atomic(b)) return true;
  return different_blocks && (folded(a) == Access::block_atomic || folded(b) == Access::block_atomic);
}

// The access that changed a shadow word to `word`, if it certainly conflicts with an access by `me`
// and is not ordered with it. The state machine says that there is a race, perhaps with an earlier
// access; a report names none rather than a wrong one.
template <class Layout>
__device__ Prior racing_prior(typename Layout::Word word, SiteWord site_word, typename Layout::Word me, AccessKind kind) {
  const Prior unknown{PriorKnown::nothing, unknown_site, AccessKind::read, 0, 0};
  if ((site_word & tag_mask) != tag_of(word)) return unknown;
  Prior prior{PriorKnown::site_and_thread, static_cast<SiteId>(site_word >> site_shift),
              static_cast<AccessKind>((site_word >> kind_shift) & kind_mask), 0, 0};
  const SiteWord who = (site_word >> who_shift) & who_mask;
  bool different_blocks = true;
  if (forgets_block<Layout>(word)) {
    if (who == block_hash(me)) return unknown;
    prior.known = PriorKnown::site;
  } else {
    prior.block = Layout::of_block ? linear_block() : Layout::block_of(word);
    prior.thread = static_cast<std::uint32_t>(who);
    different_blocks = ((word ^ me) & Layout::block_field) != 0;
    const auto difference = (static_cast<typename Layout::Word>(who) << Layout::thread_shift) ^ me;
    if (!different_blocks) {
      const auto keep = kept_fields<Layout>(Layout::state_of(word));
      if ((difference & Layout::thread_field) == 0 || ((word ^ me) & Layout::block_clock_field) != 0) return unknown;
      // Within a warp the warp clock decides, if it is known.
      const bool same_warp_clock = (keep & Layout::warp_clock_field) != 0 && ((word ^ me) & Layout::warp_clock_field) == 0;
      if ((difference & Layout::warp_field) == 0 && !same_warp_clock) return unknown;
    }
  }
  return conflicting(prior.kind, kind, different_blocks) ? prior : unknown;
}

// The narrowest group that contains both ends of a race with the accesses that `word` describes: if
// the word forgot a field, they may differ in it.
template <class Layout>
__device__ __forceinline__ RaceScope race_scope(typename Layout::Word word, typename Layout::Word me) {
  const auto unequal = (word ^ me) | ~kept_fields<Layout>(Layout::state_of(word));
  if ((unequal & Layout::block_field) != 0) return RaceScope::grid;
  return (unequal & Layout::warp_field) != 0 ? RaceScope::block : RaceScope::warp;
}

}  // namespace hirace::gpu
