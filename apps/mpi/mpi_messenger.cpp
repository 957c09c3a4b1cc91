// Messages of a shared study over MPI. The program loads this library only if mpirun or srun
// started the job, so that MPI is not needed otherwise.
//
// Open MPI 4.1 cannot handle a lost process: a blocking receive from it never returns, and neither
// does MPI_Finalize. So nothing here blocks, and a process that knows of a loss leaves without
// MPI_Finalize.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "lab/study/messenger.h"

namespace {

using tenpin::lab::Messenger;

constexpr int kTag = 1;

class MpiMessenger final : public Messenger {
 public:
  MpiMessenger() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::string bytes) override {
    Transfer& transfer = sending_.emplace_back();
    transfer.bytes = std::move(bytes);
    MPI_Isend(transfer.bytes.data(), static_cast<int>(transfer.bytes.size()), MPI_BYTE, to, kTag,
              MPI_COMM_WORLD, &transfer.request);
    sending_.remove_if([](Transfer& t) {
      return t.is_over();
    });
  }

  bool receive(int* from, std::string* bytes) override {
    begin_receiving();
    for (auto t = receiving_.begin(); t != receiving_.end(); ++t) {
      if (!t->is_over()) continue;
      *from = t->from;
      *bytes = std::move(t->bytes);
      receiving_.erase(t);
      return true;
    }
    return false;
  }

  void leave(bool others_are_lost, int exit_code) override {
    if (!others_are_lost) {
      MPI_Finalize();
      return;
    }
    static_cast<void>(std::fflush(nullptr));
    // A process that hangs would make mpirun wait forever, so process 0 aborts the job.
    if (rank_ == 0) MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  struct Transfer {
    int from = 0;
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;

    bool is_over() {
      int flag = 0;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      return flag != 0;
    }
  };

  void begin_receiving() {
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &flag, &message, &status);
    if (flag == 0) return;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Transfer& transfer = receiving_.emplace_back();
    transfer.from = status.MPI_SOURCE;
    transfer.bytes.resize(static_cast<std::size_t>(count));
    MPI_Imrecv(transfer.bytes.data(), count, MPI_BYTE, &message, &transfer.request);
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Transfer> sending_, receiving_;  // addresses must not change while MPI uses them
};

}  // namespace

extern "C" Messenger* tenpin_make_messenger() {
  return std::make_unique<MpiMessenger>().release();
}
