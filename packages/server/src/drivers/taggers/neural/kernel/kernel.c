// The name tagger's arithmetic in WebAssembly SIMD. Built by build.sh, which stands beside this file; kernel-js.ts does the
// same in plain JavaScript. Memory belongs to the caller; nothing is allocated here.
#include <wasm_simd128.h>

typedef const float *in;
#define SPLAT(x) wasm_f32x4_splat(x)

// x as 16-bit whole numbers; what is returned times those is x.
static inline float whole(short *out, in x, int n) {
  v128_t top = SPLAT(1e-9f);
  for (int i = 0; i < n; i += 4) top = wasm_f32x4_max(top, wasm_f32x4_abs(wasm_v128_load(x + i)));
  top = wasm_f32x4_max(top, wasm_i32x4_shuffle(top, top, 2, 3, 0, 1));
  top = wasm_f32x4_max(top, wasm_i32x4_shuffle(top, top, 1, 0, 3, 2));
  v128_t times = wasm_f32x4_div(SPLAT(32767.f), top);
  for (int i = 0; i < n; i += 8) {
    v128_t low = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(x + i), times)));
    v128_t high = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(x + i + 4), times)));
    wasm_v128_store(out + i, wasm_i16x8_narrow_i32x4(low, high));
  }
  return wasm_f32x4_extract_lane(top, 0) / 32767.f;
}

// out[n_out] = start[n_out] + scales * (W x), W in whole numbers: w[block of 32 outputs][pair of inputs][32][2]. Inputs are a
// multiple of 8, outputs of 32; sums stay below 2^31 up to 500 inputs.
static inline void matrix(float *out, in start, in x, const signed char *w, in scales, int n_in, int n_out) {
  short numbers[512];
  v128_t by = SPLAT(whole(numbers, x, n_in));
  for (int block = 0; block < n_out; block += 32) {
    v128_t a[8];
    for (int i = 0; i < 8; i++) a[i] = wasm_i32x4_splat(0);
    for (int k = 0; k < n_in; k += 2, w += 64) {
      v128_t pair = wasm_v128_load32_splat(numbers + k);
      for (int i = 0; i < 8; i++) a[i] = wasm_i32x4_add(a[i], wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(w + i * 8), pair));
    }
    for (int i = 0; i < 8; i++) {
      int at = block + i * 4;
      v128_t sum = wasm_f32x4_mul(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(a[i]), by), wasm_v128_load(scales + at));
      wasm_v128_store(out + at, wasm_f32x4_add(wasm_v128_load(start + at), sum));
    }
  }
}

// e^x to the last few bits: x = n ln 2 + r, e^r by a polynomial, 2^n by the exponent's bits.
static inline v128_t expv(v128_t x) {
  x = wasm_f32x4_min(SPLAT(87.f), wasm_f32x4_max(SPLAT(-87.f), x));
  v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(x, SPLAT(1.44269504f)));
  v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(n, SPLAT(0.693359375f)));
  r = wasm_f32x4_sub(r, wasm_f32x4_mul(n, SPLAT(-2.12194440e-4f)));
  v128_t p = SPLAT(1.9875691500e-4f);
  const float c[] = {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
  for (int i = 0; i < 5; i++) p = wasm_f32x4_add(wasm_f32x4_mul(p, r), SPLAT(c[i]));
  p = wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_mul(p, wasm_f32x4_mul(r, r)), r), SPLAT(1.f));
  v128_t power = wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n), wasm_i32x4_splat(127)), 23);
  return wasm_f32x4_mul(p, power);
}

static inline v128_t sigmoid(v128_t x) {
  return wasm_f32x4_div(SPLAT(1.f), wasm_f32x4_add(SPLAT(1.f), expv(wasm_f32x4_neg(x))));
}

static inline v128_t tanhv(v128_t x) {
  return wasm_f32x4_sub(wasm_f32x4_mul(SPLAT(2.f), sigmoid(wasm_f32x4_add(x, x))), SPLAT(1.f));
}

static inline void norm(float *x, in gain, in shift, int n) {
  float mean = 0, square = 0;
  for (int i = 0; i < n; i++) mean += x[i];
  mean /= n;
  for (int i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean);
  float scale = 1.f / __builtin_sqrtf(square / n + 1e-5f);
  for (int i = 0; i < n; i++) x[i] = (x[i] - mean) * scale * gain[i] + shift[i];
}

// One word: its features to the gates of both directions, before anything is known of its neighbours.
__attribute__((export_name("word"))) void word(float *gates, in features, float *middle, int n_in, int n_token, int n_gates,
                                               const signed char *w, in scales, in bias, in gain, in shift,
                                               const signed char *w_gates, in scales_gates, in bias_gates) {
  matrix(middle, bias, features, w, scales, n_in, n_token);
  norm(middle, gain, shift, n_token);
  for (int i = 0; i < n_token; i++) middle[i] = middle[i] > 0 ? middle[i] : 0;
  matrix(gates, bias_gates, middle, w_gates, scales_gates, n_token, n_gates);
}

// One direction of the LSTM over n words; rows[t] is where word t's gates for this direction lie; h goes to out[t * 2 hidden].
__attribute__((export_name("lstm"))) void lstm(float *out, float *const *rows, int n, int hidden, int reverse, const signed char *w,
                                               in scales, float *gates, float *cell, float *last) {
  for (int i = 0; i < hidden; i++) cell[i] = last[i] = 0;
  for (int step = 0; step < n; step++) {
    int t = reverse ? n - 1 - step : step;
    matrix(gates, rows[t] + (reverse ? 4 * hidden : 0), last, w, scales, hidden, 4 * hidden);
    float *h = out + t * 2 * hidden + (reverse ? hidden : 0);
    for (int i = 0; i < hidden; i += 4) {
      v128_t take = sigmoid(wasm_v128_load(gates + i)), keep = sigmoid(wasm_v128_load(gates + hidden + i));
      v128_t fresh = tanhv(wasm_v128_load(gates + 2 * hidden + i)), show = sigmoid(wasm_v128_load(gates + 3 * hidden + i));
      v128_t c = wasm_f32x4_add(wasm_f32x4_mul(keep, wasm_v128_load(cell + i)), wasm_f32x4_mul(take, fresh));
      v128_t now = wasm_f32x4_mul(show, tanhv(c));
      wasm_v128_store(cell + i, c);
      wasm_v128_store(last + i, now);
      wasm_v128_store(h + i, now);
    }
  }
}

// Both directions to the scores of each tag.
__attribute__((export_name("tags"))) void tags(float *scores, float *h, int n, int width, int n_tags, in gain, in shift, in w, in bias) {
  for (int t = 0; t < n; t++, h += width) {
    norm(h, gain, shift, width);
    for (int tag = 0; tag < n_tags; tag++) {
      v128_t sum = SPLAT(0.f);
      for (int i = 0; i < width; i += 4)
        sum = wasm_f32x4_add(sum, wasm_f32x4_mul(wasm_v128_load(h + i), wasm_v128_load(w + tag * width + i)));
      scores[t * n_tags + tag] = bias[tag] + wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1) +
                                 wasm_f32x4_extract_lane(sum, 2) + wasm_f32x4_extract_lane(sum, 3);
    }
  }
}
