// verdict: clean
// Iterators of thrust and of the standard library, and functions whose call operators are not const. Each
// algorithm's header has the others, as thrust's own headers do.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/zip_function.h>

#include <iterator>
#include <sstream>

struct Negate {
    __host__ __device__ int operator()(int x) { return -x; }
};

struct Add {
    __host__ __device__ void operator()(const int& a, const int& b, int& sum) { sum = a + b; }
};

struct IsOdd {
    template <class Tuple>
    __host__ __device__ bool operator()(const Tuple& pair) const
    {
        return thrust::get<0>(pair) % 2 != 0;
    }
};

int next()
{
    static int last = 0;
    return ++last;
}

int main()
{
    thrust::host_vector<int> numbers(6), others(6, 3);
    thrust::generate(numbers.begin(), numbers.end(), next);
    thrust::device_vector<int> first = numbers, second = others, sums(6);

    auto begin = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin(), sums.begin()));
    thrust::for_each(begin, begin + 6, thrust::make_zip_function(Add()));

    std::ostringstream out;
    thrust::copy(sums.begin(), sums.end(), std::ostream_iterator<int>(out, " "));
    using Negated = thrust::transform_iterator<Negate, thrust::device_vector<int>::iterator, int>;
    thrust::copy(Negated(sums.begin(), Negate()), Negated(sums.end(), Negate()), std::ostream_iterator<int>(out, " "));

    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(numbers.begin(), others.begin()));
    const auto kept = thrust::remove_if(pairs, pairs + 6, IsOdd()) - pairs;
    thrust::copy(numbers.begin(), numbers.begin() + kept, std::ostream_iterator<int>(out, " "));

    const bool sorted = thrust::is_sorted(sums.begin(), sums.end());
    const int total = thrust::reduce(sums.begin(), sums.end());
    return sorted && total == 39 && out.str() == "4 5 6 7 8 9 -4 -5 -6 -7 -8 -9 2 4 6 " ? 0 : 1;
}
