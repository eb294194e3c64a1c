// Names of keys in other toolkits, as the fields state them (Fields::peers): what a word of another
// toolkit is here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/key_paths.h"
#include "config/outline.h"

namespace heed {

// A name of a list of Peers. Of a remark alone the name is empty.
struct PeerName {
  std::string name;    // "data.src.max_length"
  std::string value;   // "", "noam"
  std::string remark;  // "", "of sentencepiece"
  // The last part of the name, canonical: "max_length".
  std::string word() const;
};
std::vector<PeerName> peer_names(std::string_view list);

// A key with its names in other toolkits.
struct PeerKey {
  std::vector<std::string> paths;  // the shortest paths of the key
  std::string kind;                //  "schedule: plateau" if the key belongs to a kind, or ""
  std::string value;               // PeerOutline::value
  std::string help;                // "learning rate"; "" of a key inside the one with the names
  const Peers* names;
};

// All keys that have such names, in the order of the config. The outline must outlive them.
std::vector<PeerKey> peer_keys(const KeyPaths& paths);

// An option of a command that stands for a key of other toolkits.
struct PeerOption {
  const char* here;  // "`heed translate --nbest N`"
  const char* help;
  Peers names;
};
const std::vector<PeerOption>& peer_options();

// A key here that a word of another toolkit stands for.
struct PeerMeaning {
  std::string path;
  std::vector<std::string> values;  // those of the key that the word stands for; "": any
  std::string help;                 // PeerKey::help
  const char* note;                 // Peers::note
  std::string last_key() const { return path.substr(path.find_last_of('.') + 1); }
};
// A word that is the name of a key here has no meaning, unless it is stated as Peers::also.
std::vector<PeerMeaning> peer_meanings(std::string_view word, const KeyPaths& paths);

// The hint at what a word of another toolkit is here, or "". candidates: the keys at the place of the
// word, which are preferred.
std::string meant_by_peers(std::string_view word, const KeyPaths& paths,
                           const std::vector<std::string>& candidates);

}  // namespace heed
