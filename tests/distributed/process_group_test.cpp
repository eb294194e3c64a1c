// Processes over Gloo; here they are threads with a process group each.
#include "distributed/process_group.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <thread>

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "distributed/listening_socket.h"
#include "distributed/liveness.h"
#include "distributed/nccl.h"
#include "distributed/together.h"
#include "free_port.h"

namespace heed {
namespace {

Launch launch_of(int64_t rank, int64_t processes, uint16_t port) {
  return {.launcher = "torchrun",
          .rank = rank,
          .processes = processes,
          .local_rank = rank,
          .local_processes = processes,
          .meeting = {.host = "127.0.0.1", .port = port}};
}

// Results of work(reducer) in each of p processes.
template <class Work>
auto in_processes(int64_t processes, const Work& work) {
  std::vector<decltype(work(std::declval<Reducer&>()))> found(static_cast<size_t>(processes));
  std::vector<std::thread> threads;
  const uint16_t port = free_port();
  for (int64_t rank = 0; rank < processes; ++rank) {
    threads.emplace_back([&, rank] {
      const auto reducer = join_processes(launch_of(rank, processes, port));
      found[static_cast<size_t>(rank)] = work(*reducer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return found;
}

class ProcessGroups : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(All, ProcessGroups, testing::Values(2, 3, 4));

// Numbers whose sum depends on the order of addition.
Tensor numbers_of_rank(int64_t rank, int64_t size) {
  const auto i = torch::arange(size, torch::kDouble);
  return (torch::sin(i * static_cast<double>(rank + 1)) *
          std::pow(10.0, 3.0 * static_cast<double>(rank)))
      .to(torch::kFloat);
}

TEST_P(ProcessGroups, SumInTheOrderOfTheRanks) {
  for (const int64_t size : {1, 2, 7, 1000, 100'003}) {
    Tensor expected = numbers_of_rank(0, size);
    for (int64_t rank = 1; rank < GetParam(); ++rank) expected += numbers_of_rank(rank, size);
    const auto sums = in_processes(GetParam(), [&](Reducer& reducer) {
      Tensor own = numbers_of_rank(reducer.rank(), size);
      reducer.sum(own);
      return own;
    });
    for (const Tensor& sum : sums) EXPECT_TRUE(torch::equal(sum, expected)) << size;
  }
}

TEST_P(ProcessGroups, SumKeepsTypeAndShape) {
  const auto sums = in_processes(GetParam(), [&](Reducer& reducer) {
    const Tensor own = torch::full({3, 5}, reducer.rank() + 1, torch::kLong);
    reducer.sum(own);
    return own;
  });
  const int64_t expected = GetParam() * (GetParam() + 1) / 2;
  for (const Tensor& sum : sums)
    EXPECT_TRUE(torch::equal(sum, torch::full({3, 5}, expected, torch::kLong)));
}

TEST_P(ProcessGroups, BroadcastTheTensorOfTheFirst) {
  const auto found = in_processes(GetParam(), [&](Reducer& reducer) {
    Tensor own = numbers_of_rank(reducer.rank(), 1001);
    reducer.broadcast(own);
    return own;
  });
  for (const Tensor& one : found) EXPECT_TRUE(torch::equal(one, numbers_of_rank(0, 1001)));
}

TEST_P(ProcessGroups, GatherThePartsOfABuffer) {
  for (const int64_t size : {1, 63, 64, 65, 1000, 100'003}) {
    const Tensor expected = numbers_of_rank(0, size);
    const auto found = in_processes(GetParam(), [&](Reducer& reducer) {
      const BufferPart part = part_of(size, reducer.rank(), reducer.processes());
      Tensor own = torch::full({size}, -1.0);
      own.narrow(0, part.begin, part.size).copy_(expected.narrow(0, part.begin, part.size));
      reducer.gather_parts(own);
      return own;
    });
    for (const Tensor& one : found) EXPECT_TRUE(torch::equal(one, expected)) << size;
  }
}

TEST_P(ProcessGroups, GatherTextsOfAnyLength) {
  const auto text_of = [](int64_t rank) {
    return rank == 1 ? std::string()
                     : std::string(static_cast<size_t>(1 + 1000 * rank), '\0') + "é";
  };
  const auto found = in_processes(
      GetParam(), [&](Reducer& reducer) { return reducer.gather(text_of(reducer.rank())); });
  std::vector<std::string> expected;
  for (int64_t rank = 0; rank < GetParam(); ++rank) expected.push_back(text_of(rank));
  for (const auto& one : found) EXPECT_EQ(one, expected);
}

TEST_P(ProcessGroups, AnyIsTrueWhereItIsTrueInOne) {
  const auto found = in_processes(GetParam(), [&](Reducer& reducer) {
    return std::vector<bool>{reducer.any(false), reducer.any(reducer.rank() == 1),
                             reducer.any(true)};
  });
  for (const auto& one : found) EXPECT_EQ(one, (std::vector<bool>{false, true, true}));
}

// One process, because NCCL needs a GPU for each process.
TEST(Nccl, SumsOnTheGpu) {
  if (!at::hasCUDA()) GTEST_SKIP() << "there is no GPU";
  const Tensor numbers = numbers_of_rank(1, 100'003).to(torch::kCUDA);
  if (gpu_of(numbers).empty()) GTEST_SKIP() << "compiled without NCCL";
  const auto reducer = process_group(launch_of(0, 1, free_port()));
  for (int64_t size : {1, 1000, 100'003}) {
    const Tensor expected = numbers.narrow(0, 0, size), own = expected.clone();
    reducer->sum(own);
    EXPECT_TRUE(torch::equal(own, expected)) << size;
    reducer->gather_parts(own);
    EXPECT_TRUE(torch::equal(own, expected)) << size;
    reducer->broadcast(own);
    EXPECT_TRUE(torch::equal(own, expected)) << size;
  }
}

// Two processes share a GPU; their tensors are sent through host memory.
TEST(Gloo, SumsTensorsOfOneGpu) {
  if (!at::hasCUDA()) GTEST_SKIP() << "there is no GPU";
  const auto sums = in_processes(2, [&](Reducer& reducer) {
    Tensor own = torch::full({7}, reducer.rank() + 1.5, torch::kCUDA);
    reducer.sum(own);
    reducer.broadcast(own);
    reducer.gather_parts(own);
    return own;
  });
  for (const Tensor& sum : sums) {
    EXPECT_TRUE(sum.is_cuda());
    EXPECT_TRUE(torch::equal(sum.cpu(), torch::full({7}, 4.0)));
  }
}

// Errors that each process sees if `fail` throws in some of them.
template <class Fail>
std::vector<std::string> ends_of(int64_t processes, const Fail& fail) {
  return in_processes(processes, [&](Reducer& reducer) -> std::string {
    try {
      together(reducer, [&] { fail(reducer.rank()); });
    } catch (const Interrupted&) {
      return "interrupted";
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  });
}

TEST_P(ProcessGroups, WorkThatFailsInOneEndsInAll) {
  const auto ends = ends_of(GetParam(), [](int64_t rank) {
    if (rank == 1) throw Error(ErrorKind::kData, "no");
  });
  EXPECT_EQ(ends[1], "no");
  EXPECT_NE(ends[0].find("another process failed"), std::string::npos) << ends[0];
}

TEST_P(ProcessGroups, WorkThatIsInterruptedInOneIsInAll) {
  const auto ends = ends_of(GetParam(), [](int64_t rank) {
    if (rank == 1) throw Interrupted();
  });
  for (const std::string& end : ends) EXPECT_EQ(end, "interrupted");
}

TEST_P(ProcessGroups, AnErrorCountsBeforeAnInterruption) {
  const auto ends = ends_of(GetParam(), [](int64_t rank) {
    if (rank == 0) throw Interrupted();
    if (rank == 1) throw Error(ErrorKind::kData, "no");
  });
  EXPECT_EQ(ends[1], "no");
  EXPECT_NE(ends[0].find("another process failed"), std::string::npos) << ends[0];
}

TEST(ProcessGroup, SharesAreDisjointAndWhole) {
  const auto shares = in_processes(3, [](Reducer& reducer) { return share_of(8, reducer); });
  EXPECT_EQ(shares[0], (std::vector<size_t>{0, 3, 6}));
  EXPECT_EQ(shares[1], (std::vector<size_t>{1, 4, 7}));
  EXPECT_EQ(shares[2], (std::vector<size_t>{2, 5}));
}

// The other processes wait for it in a collective.
TEST(ProcessGroup, AProcessThatEndsWithAnErrorIsNamed) {
  std::vector<std::string> ends(3);
  std::vector<std::thread> threads;
  const uint16_t port = free_port();
  for (int64_t rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto reducer = join_processes(launch_of(rank, 3, port));
        if (rank == 1) throw_error(ErrorKind::kData, "no");
        reducer->any(false);
      } catch (const Error& error) {
        ends[static_cast<size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ends[1], "no");
  for (const size_t rank : {0, 2}) {
    EXPECT_NE(ends[rank].find("process 1 (host "), std::string::npos) << ends[rank];
    EXPECT_NE(ends[rank].find("ended with an error"), std::string::npos) << ends[rank];
    EXPECT_NE(ends[rank].find("--resume"), std::string::npos) << ends[rank];
  }
}

// Errors of these ranks if the other ranks do not start.
std::vector<std::string> problems_of(const std::vector<int64_t>& ranks, int64_t processes,
                                     std::chrono::seconds patience) {
  std::vector<std::string> problems(ranks.size());
  std::vector<std::thread> threads;
  const uint16_t port = free_port();
  for (size_t i = 0; i < ranks.size(); ++i) {
    threads.emplace_back([&, i] {
      Launch launch = launch_of(ranks[i], processes, port);
      launch.meeting.patience = patience;
      try {
        join_processes(launch);
      } catch (const Error& error) {
        problems[i] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return problems;
}

constexpr std::chrono::seconds kShort{4};

// True if a process listens at this address.
bool answers(const char* address, uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  inet_pton(AF_INET, address, &to.sin_addr);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const bool connected = connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0;
  close(socket);
  return connected;
}

// All addresses of 127.0.0.0/8 are of this host, so a store that listens on all interfaces would
// answer at each.
TEST(Meeting, TheStoreListensAtTheAddressThatIsNamedAlone) {
  for (const char* host : {"127.0.0.1", "127.0.0.2"}) {
    Launch launch = launch_of(0, 1, free_port());
    launch.meeting.host = host;
    const auto reducer = process_group(launch);
    for (const char* address : {"127.0.0.1", "127.0.0.2", "127.0.0.3"})
      EXPECT_EQ(answers(address, launch.meeting.port), std::string(address) == host) << address;
  }
}

TEST(Meeting, OnSeveralHostsANameMayHaveSeveralAddresses) {
  Launch launch = launch_of(0, 2, free_port());
  launch.local_processes = 1;
  launch.meeting.host = "localhost";
  EXPECT_EQ(listening_socket(launch), std::nullopt);
  launch.meeting.host = "192.0.2.1";  // belongs to no host (RFC 5737)
  EXPECT_EQ(listening_socket(launch), std::nullopt);
  launch.meeting.host = "127.0.0.1";
  const auto socket = listening_socket(launch);
  ASSERT_TRUE(socket);
  EXPECT_ERROR(listening_socket(launch), ErrorKind::kFailure, "Address already in use");
  close(*socket);
}

TEST(Meeting, AProcessThatDoesNotComeIsNamed) {
  for (const std::string& problem : problems_of({0, 2}, 3, kShort))
    EXPECT_NE(problem.find("process 1 has not come within 4 seconds"), std::string::npos)
        << problem;
}

TEST(Meeting, SeveralAreCountedAndTheFirstNamed) {
  const std::string problem = problems_of({0}, 40, kShort).front();
  EXPECT_NE(problem.find("39 processes (1, 2, 3, 4, 5, 6, 7, 8, …) have not come"),
            std::string::npos)
      << problem;
}

TEST(Meeting, WhereProcess0IsMissingItDoesNotAnswer) {
  const std::string problem = problems_of({1}, 2, kShort).front();
  EXPECT_NE(problem.find("process 1 of 2 cannot join the others at 127.0.0.1:"), std::string::npos);
  EXPECT_NE(problem.find("process 0 does not answer there"), std::string::npos) << problem;
  EXPECT_NE(problem.find("torchrun"), std::string::npos) << problem;
}

// The patience is long, so the error comes from the process that had joined and ended.
TEST(Meeting, AProcessThatEndsBeforeAllHaveComeIsNamed) {
  const uint16_t port = free_port();
  std::thread ends([&] {
    c10d::TCPStoreOptions options;
    options.port = port;
    const Launch launch = launch_of(1, 3, port);
    Liveness(launch, c10::make_intrusive<c10d::TCPStore>(launch.meeting.host, options)).leave(true);
  });
  std::string problem;
  try {
    join_processes(launch_of(0, 3, port));
  } catch (const Error& error) {
    problem = error.what();
  }
  ends.join();
  EXPECT_NE(problem.find("process 1 (host "), std::string::npos) << problem;
  EXPECT_NE(problem.find("ended with an error"), std::string::npos) << problem;
}

}  // namespace
}  // namespace heed
