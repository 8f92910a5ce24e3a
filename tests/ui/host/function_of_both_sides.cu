// verdict: race
// race: lines 15 and 15, variable balance, global
// race: lines 16 and 16, variable deposits, global
// repaired: clean
// A function for both sides, which the host calls while a kernel that calls it, too, may still run.
// Repaired: the host waits.
#include <cstdio>

struct Account {
    int balance;
    int deposits;

    __host__ __device__ void deposit(int amount)
    {
        balance += amount;
        ++deposits;
    }
};

__global__ void pay(Account* accounts)
{
    Account& mine = accounts[threadIdx.x];
    mine.deposit(1);
}

int main()
{
    Account* accounts;
    cudaMallocManaged(&accounts, 32 * sizeof(Account));
    for (int i = 0; i < 32; ++i) accounts[i] = {0, 0};
    pay<<<1, 32>>>(accounts);
#ifdef REPAIRED
    cudaDeviceSynchronize();
#endif
    accounts[3].deposit(10);
    cudaDeviceSynchronize();
    std::printf("%d\n", accounts[3].balance);
}
