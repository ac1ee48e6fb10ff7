#pragma once

namespace hwsift::cli {

// What the process answers; README.md has the table.
enum ExitCode : int {
  kClean = 0,
  kFindings = 1,  // findings, or tests failed
  kUsage = 2,     // usage, configuration or rule file
  kInternal = 3,  // internal error; scan, classify and select: a file that could not be read
  kNothingSelected = 4,
  kIncomplete = 5,
  kStaleAllowlist = 6,
  kEnvironment = 75,
  kInterrupted = 130,
  kTerminated = 143,
};

// Of two codes the one that tells more: 130/143, 2, 75, 3, 5, 1, 6, 4, 0.
int worse(int a, int b);

}  // namespace hwsift::cli
