// A small ray tracer: shapes and materials are objects with virtual functions, created on the device
// by `new`, because their virtual tables are valid only there. Rays that end early free their
// lanes: a warp draws new pixels for the lanes that have none.
//
//   ray_tracer [WIDTH HEIGHT [BOUNCES]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#define HD __host__ __device__
#define TRY_CUDA(...)                                                                     \
  do {                                                                                    \
    const cudaError_t status = (__VA_ARGS__);                                             \
    if (status != cudaSuccess) {                                                          \
      fprintf(stderr, "ray_tracer: %s (line %d)\n", cudaGetErrorString(status), __LINE__); \
      exit(2);                                                                            \
    }                                                                                     \
  } while (0)

struct Vector {
  float x, y, z;
  HD Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  HD Vector operator-(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
  HD Vector operator*(float f) const { return {x * f, y * f, z * f}; }
  HD Vector& operator+=(const Vector& o) { return *this = *this + o; }
  HD float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
HD inline float dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HD inline Vector scaled(const Vector& a, const Vector& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
HD inline Vector unit(const Vector& v) { return v * (1.0f / sqrtf(dot(v, v))); }

struct Ray {
  Vector origin, direction;
  HD Vector at(float t) const { return origin + direction * t; }
};

struct Hit {
  float t;
  Vector normal;
};

class Material {
 public:
  HD virtual ~Material() {}
  HD virtual Vector color(const Vector& point) const = 0;
  HD virtual float mirrors() const { return 0; }
};

class Plain : public Material {
 public:
  HD explicit Plain(Vector color, float mirrors = 0) : color_(color), mirrors_(mirrors) {}
  HD Vector color(const Vector&) const override { return color_; }
  HD float mirrors() const override { return mirrors_; }

 private:
  Vector color_;
  float mirrors_;
};

class Chequered final : public Material {
 public:
  HD Vector color(const Vector& p) const override {
    const int parity = static_cast<int>(floorf(p.x)) + static_cast<int>(floorf(p.z));
    return parity & 1 ? Vector{0.9f, 0.9f, 0.9f} : Vector{0.1f, 0.1f, 0.2f};
  }
};

class Shape {
 public:
  HD explicit Shape(Material* material) : material_(material) {}
  HD virtual ~Shape() { delete material_; }
  HD virtual bool hit(const Ray& ray, float nearest, Hit* hit) const = 0;
  HD const Material& material() const { return *material_; }

 private:
  Material* material_;
};

class Sphere : public Shape {
 public:
  HD Sphere(Vector centre, float radius, Material* material) : Shape(material), centre_(centre), radius_(radius) {}
  HD bool hit(const Ray& ray, float nearest, Hit* hit) const override {
    const Vector to = ray.origin - centre_;
    const float half = dot(to, ray.direction), rest = dot(to, to) - radius_ * radius_;
    const float square = half * half - rest;
    if (square <= 0) return false;
    const float t = -half - sqrtf(square);
    if (t < 1e-3f || t >= nearest) return false;
    *hit = {t, (ray.at(t) - centre_) * (1 / radius_)};
    return true;
  }

 private:
  Vector centre_;
  float radius_;
};

class Ground : public Shape {
 public:
  HD Ground(float height, Material* material) : Shape(material), height_(height) {}
  HD bool hit(const Ray& ray, float nearest, Hit* hit) const override {
    if (ray.direction.y > -1e-4f) return false;
    const float t = (height_ - ray.origin.y) / ray.direction.y;
    if (t < 1e-3f || t >= nearest) return false;
    *hit = {t, {0, 1, 0}};
    return true;
  }

 private:
  float height_;
};

constexpr int shape_count = 5;

// The scene, created where it is used.
HD inline void make_shapes(Shape** shapes) {
  shapes[0] = new Ground(-1, new Chequered);
  shapes[1] = new Sphere({0, 0, -4}, 1, new Plain({0.9f, 0.2f, 0.2f}, 0.3f));
  shapes[2] = new Sphere({1.7f, -0.4f, -3.2f}, 0.6f, new Plain({0.2f, 0.8f, 0.3f}));
  shapes[3] = new Sphere({-1.8f, -0.2f, -3.5f}, 0.8f, new Plain({0.8f, 0.8f, 0.9f}, 0.8f));
  shapes[4] = new Sphere({0.4f, -0.75f, -2.2f}, 0.25f, new Chequered);
}

HD inline const Shape* first_hit(Shape* const* shapes, const Ray& ray, Hit* hit) {
  const Shape* first = nullptr;
  hit->t = 1e30f;
  for (int i = 0; i < shape_count; ++i)
    if (shapes[i]->hit(ray, hit->t, hit)) first = shapes[i];
  return first;
}

// A path through the scene, bounce by bounce.
struct Path {
  Ray ray;
  Vector light, weight;
  int bounces;

  HD void begin(int pixel, int width, int height, int most) {
    const float x = (pixel % width + 0.5f) / width * 2 - 1, y = 1 - (pixel / width + 0.5f) / height * 2;
    ray = {{0, 0, 0}, unit({x * width / height, y, -1.5f})};
    light = {0, 0, 0};
    weight = {1, 1, 1};
    bounces = most;
  }
  // Returns whether the path continues.
  HD bool advance(Shape* const* shapes) {
    Hit hit;
    const Shape* shape = first_hit(shapes, ray, &hit);
    if (shape == nullptr) {
      light += scaled(weight, Vector{0.5f, 0.7f, 1.0f} * (0.5f + 0.5f * ray.direction.y));
      return false;
    }
    const Vector point = ray.at(hit.t), sun = unit({1, 2, 1});
    Hit shade;
    const bool lit = first_hit(shapes, {point, sun}, &shade) == nullptr;
    const float bright = 0.2f + (lit ? 0.8f * fmaxf(dot(sun, hit.normal), 0) : 0);
    const float mirrors = shape->material().mirrors();
    light += scaled(weight, shape->material().color(point)) * (bright * (1 - mirrors));
    weight = weight * mirrors;
    ray = {point, ray.direction - hit.normal * (2 * dot(ray.direction, hit.normal))};
    return mirrors > 0 && --bounces > 0;
  }
};

__global__ void make_scene(Shape** shapes) {
  if (threadIdx.x == 0 && blockIdx.x == 0) make_shapes(shapes);
}

__global__ void free_scene(Shape** shapes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < shape_count) delete shapes[i];
}

__device__ unsigned next_pixel;

__global__ void trace(Shape* const* shapes, Vector* image, int width, int height, int bounces) {
  const unsigned lane = threadIdx.x & 31, pixels = width * height;
  Path path;
  int pixel = -1;
  bool more = true;
  while (__any_sync(~0u, more || pixel >= 0)) {
    // The lanes without a pixel get one each, by a single addition.
    const unsigned idle = __ballot_sync(~0u, pixel < 0 && more);
    if (idle != 0) {
      const int leader = __ffs(idle) - 1;
      unsigned first = 0;
      if (lane == leader) {
#ifdef RACE
        first = next_pixel;
        next_pixel = first + __popc(idle);
#else
        first = atomicAdd(&next_pixel, __popc(idle));
#endif
      }
      first = __shfl_sync(~0u, first, leader);
      if (pixel < 0 && more) {
        const unsigned mine = first + __popc(idle & ((1u << lane) - 1));
        more = mine < pixels;
        if (more) {
          pixel = mine;
          path.begin(pixel, width, height, bounces);
        }
      }
    }
    if (pixel >= 0 && !path.advance(shapes)) {
      image[pixel] = path.light;
      pixel = -1;
    }
  }
}

int main(int argc, char** argv) {
  const int width = argc > 2 ? atoi(argv[1]) : 64, height = argc > 2 ? atoi(argv[2]) : 40;
  const int bounces = argc > 3 ? atoi(argv[3]) : 4;
  if (width < 1 || height < 1 || bounces < 1) return 2;

  cudaDeviceProp properties;
  TRY_CUDA(cudaGetDeviceProperties(&properties, 0));
  TRY_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  Shape** shapes;
  Vector* image;
  TRY_CUDA(cudaMalloc(&shapes, shape_count * sizeof *shapes));
  TRY_CUDA(cudaMallocManaged(&image, sizeof(Vector) * width * height));
  make_scene<<<1, 1>>>(shapes);
  TRY_CUDA(cudaGetLastError());
  const int blocks = properties.multiProcessorCount < 8 ? properties.multiProcessorCount : 8;
  trace<<<blocks, 64>>>(shapes, image, width, height, bounces);
  TRY_CUDA(cudaGetLastError());
  free_scene<<<1, 32>>>(shapes);
  TRY_CUDA(cudaDeviceSynchronize());

  Shape* host_shapes[shape_count];
  make_shapes(host_shapes);
  int wrong = 0;
  for (int pixel = 0; pixel < width * height; ++pixel) {
    Path path;
    path.begin(pixel, width, height, bounces);
    while (path.advance(host_shapes)) {
    }
    for (int i = 0; i < 3; ++i) wrong += !(std::fabs(path.light[i] - image[pixel][i]) < 1e-3f);
  }
  for (Shape* shape : host_shapes) delete shape;
  TRY_CUDA(cudaFree(shapes));
  TRY_CUDA(cudaFree(image));

  // At the edges of shapes, processors may round differently.
  if (wrong > width * height / 100) {
    printf("ray_tracer: %d values differ, FAILED\n", wrong);
    return 1;
  }
  printf("ray_tracer: %d x %d pixels, passed\n", width, height);
  return 0;
}
