// The environments that launchers give, as their manuals name the variables.
#include "distributed/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"

namespace heed {
namespace {

using Variables = std::map<std::string, std::string>;

Launch launch_of(const Variables& variables) {
  return find_launch([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string refusal_of(const Variables& variables) {
  try {
    launch_of(variables);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

Variables torchrun() {
  return {{"RANK", "3"},
          {"WORLD_SIZE", "4"},
          {"LOCAL_RANK", "1"},
          {"LOCAL_WORLD_SIZE", "2"},
          {"MASTER_ADDR", "node7"},
          {"MASTER_PORT", "29500"}};
}

TEST(Launch, OneProcessWhereNoLauncherIs) {
  const Launch launch = launch_of({});
  EXPECT_TRUE(launch.is_alone());
  EXPECT_EQ(launch.launcher, "");
  EXPECT_EQ(launch.local_processes, 1);
}

TEST(Launch, OfTorchrun) {
  const Launch launch = launch_of(torchrun());
  EXPECT_EQ(launch.launcher, "torchrun");
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.processes, 4);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.local_processes, 2);
  EXPECT_EQ(launch.meeting.host, "node7");
  EXPECT_EQ(launch.meeting.port, 29500);
  EXPECT_FALSE(launch.meeting.served_by_launcher);
}

TEST(Launch, TheAgentOfTorchrunServesTheStoreAndCountsItsRestarts) {
  Variables variables = torchrun();
  variables["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  variables["TORCHELASTIC_RESTART_COUNT"] = "2";
  const Launch launch = launch_of(variables);
  EXPECT_TRUE(launch.meeting.served_by_launcher);
  EXPECT_EQ(launch.meeting.prefix, "/worker/attempt_2/");
}

TEST(Launch, OfOpenMpiOnOneHost) {
  const Variables variables{{"OMPI_COMM_WORLD_SIZE", "2"},
                            {"OMPI_COMM_WORLD_RANK", "1"},
                            {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                            {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                            {"PMIX_NAMESPACE", "prterun-a-17@1"}};
  const Launch launch = launch_of(variables);
  EXPECT_EQ(launch.launcher, "mpirun");
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.meeting.host, "127.0.0.1");
  EXPECT_GE(launch.meeting.port, 20000);
  Variables other = variables;
  other["PMIX_NAMESPACE"] = "prterun-a-18@1";
  EXPECT_NE(launch_of(other).meeting.port, launch.meeting.port);  // both run at once
}

TEST(Launch, MpirunOnSeveralHostsHasToNameOne) {
  Variables variables{{"OMPI_COMM_WORLD_SIZE", "4"},
                      {"OMPI_COMM_WORLD_RANK", "3"},
                      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  EXPECT_NE(refusal_of(variables).find("mpirun -x MASTER_ADDR=HOST"), std::string::npos);
  variables["MASTER_ADDR"] = "node1";
  variables["MASTER_PORT"] = "4711";
  EXPECT_EQ(launch_of(variables).meeting.host, "node1");
  EXPECT_EQ(launch_of(variables).meeting.port, 4711);
}

TEST(Launch, OfMpich) {
  const Launch launch = launch_of(
      {{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}});
  EXPECT_EQ(launch.launcher, "mpirun");
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.local_processes, 2);
}

Variables srun() {
  return {{"SLURM_JOB_ID", "81"}, {"SLURM_STEP_ID", "0"},
          {"SLURM_PROCID", "5"},  {"SLURM_STEP_NUM_TASKS", "7"},
          {"SLURM_LOCALID", "1"}, {"SLURM_STEP_NODELIST", "gpu[07-08]"},
          {"SLURM_NODEID", "1"},  {"SLURM_STEP_TASKS_PER_NODE", "4,3"}};
}

TEST(Launch, OfSlurm) {
  const Launch launch = launch_of(srun());
  EXPECT_EQ(launch.launcher, "srun");
  EXPECT_EQ(launch.rank, 5);
  EXPECT_EQ(launch.processes, 7);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.local_processes, 3);
  EXPECT_EQ(launch.meeting.host, "gpu07");
  Variables first = srun();
  first["SLURM_PROCID"] = "0";
  EXPECT_EQ(launch_of(first).meeting.port, launch.meeting.port);
}

// A program that a batch script starts without srun sees the job's variables, not those of a step.
TEST(Launch, ABatchScriptIsOneProcess) {
  EXPECT_TRUE(
      launch_of({{"SLURM_JOB_ID", "81"}, {"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}}).is_alone());
}

TEST(Launch, MpirunWithinSlurmIsMpirun) {
  Variables variables = srun();
  variables.insert({{"OMPI_COMM_WORLD_SIZE", "2"},
                    {"OMPI_COMM_WORLD_RANK", "0"},
                    {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                    {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launch_of(variables).launcher, "mpirun");
}

TEST(Launch, SecondsToWaitForTheOthers) {
  Variables variables = torchrun();
  EXPECT_EQ(launch_of(variables).meeting.patience, std::chrono::seconds(60));
  variables["HEED_START_TIMEOUT"] = "300";
  EXPECT_EQ(launch_of(variables).meeting.patience, std::chrono::seconds(300));
}

TEST(Launch, EverythingThatIsMissingIsNamed) {
  Variables variables = torchrun();
  variables["HEED_START_TIMEOUT"] = "soon";
  variables.erase("MASTER_ADDR");
  variables["RANK"] = "4";
  variables["MASTER_PORT"] = "http";
  const std::string refusal = refusal_of(variables);
  EXPECT_NE(refusal.find("torchrun"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("MASTER_ADDR: is not set"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("RANK: found '4', expected a whole number from 0 to 3"), std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("MASTER_PORT: found 'http'"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("HEED_START_TIMEOUT: found 'soon'"), std::string::npos) << refusal;
}

TEST(Launch, ListsOfSlurm) {
  EXPECT_EQ(first_host("login1"), "login1");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("node[07-09,12],gpu1"), "node07");
  EXPECT_EQ(first_host("rack[2,4]-n[1-3]"), "rack2-n1");
  EXPECT_EQ(tasks_of_node("4(x2),3", 0), 4);
  EXPECT_EQ(tasks_of_node("4(x2),3", 1), 4);
  EXPECT_EQ(tasks_of_node("4(x2),3", 2), 3);
  EXPECT_EQ(tasks_of_node("8", 0), 8);
}

}  // namespace
}  // namespace heed
