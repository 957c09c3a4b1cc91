// How contacts look. Colours are in sRGB throughout: these are signs, not lit surfaces.

const kTint = `
  attribute float mode; attribute float open; attribute float residual;
  uniform vec3 modeColours[5]; uniform vec3 ramp[5]; uniform float byResidual;
  varying vec3 vTint;
  // 1e-16 and below is the ramp's start, 1e-6 and above its end.
  vec3 calcTint() {
    float shade = residual > 0.0 ? clamp((log(residual) / log(10.0) + 16.0) / 10.0, 0.0, 1.0) : 0.0;
    float x = 4.0 * shade;
    vec3 onRamp = ramp[0];
    for (int i = 0; i < 4; ++i) onRamp = mix(onRamp, ramp[i + 1], clamp(x - float(i), 0.0, 1.0));
    vec3 ofMode = modeColours[0];
    for (int i = 1; i < 5; ++i) if (mode > float(i) - 0.5) ofMode = modeColours[i];
    // Pale: other forces give the same motion.
    return mix(mix(ofMode, onRamp, byResidual), vec3(1.0), 0.5 * open);
  }`;

// With NORMAL: a thin line along the normal instead of the impulse's arrow. Widths are parts of the
// distance to the camera, so that they are the same everywhere in the picture.
export const kArrowShader = `${kTint}
  attribute vec3 at; attribute vec3 impulse; attribute vec3 along; attribute float head;
  uniform float typicalLength; uniform float mostLength;
  void main() {
    float away = -(modelViewMatrix * vec4(at, 1.0)).z;
    #ifdef NORMAL
      vec3 z = normalize(along);
      float reach = 0.05 * away;
      float headLength = 0.0;
      float shaftRadius = 0.0011 * away;
      vTint = vec3(0.48, 0.52, 0.55);
    #else
      float size = length(impulse);
      vec3 z = size > 0.0 ? impulse / size : vec3(0.0, 0.0, 1.0);
      float reach = min(typicalLength * size, mostLength);
      float headLength = min(0.02 * away, 0.5 * reach);
      float shaftRadius = size > 0.0 ? 0.0024 * away : 0.0;
      vTint = calcTint();
    #endif
    vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z));
    vec3 y = cross(z, x);
    float radius = head > 0.5 ? 0.38 * headLength : shaftRadius;
    float height = head > 0.5 ? reach - headLength * (1.0 - position.z)
                              : (reach - headLength) * position.z;
    vec3 p = at + radius * (position.x * x + position.y * y) + height * z;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
  }`;

export const kFlatColourShader = `
  varying vec3 vTint;
  void main() { gl_FragColor = vec4(vTint, 1.0); }`;

// A square that faces the camera, markSize pixels across on either side of the contact.
export const kMarkShader = `${kTint}
  attribute vec3 at;
  uniform vec2 size; uniform float markSize;
  varying vec2 vCorner; varying float vMode;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
    gl_Position.xy += position.xy * markSize / size * 2.0 * gl_Position.w;
    gl_Position.z -= 1e-3 * gl_Position.w;
    vCorner = position.xy;
    vMode = mode;
    vTint = calcTint();
  }`;

// Separating: a ring. Sliding: a triangle. Sticking: a square. Resting: a disc.
// Touching without force: a diamond. Each with a pale rim
// that sets it off from bodies of its colour.
export const kMarkFragmentShader = `
  varying vec3 vTint; varying vec2 vCorner; varying float vMode;
  void main() {
    vec2 p = vCorner;
    float d;
    if (vMode < 0.5) d = abs(length(p) - 0.5) - 0.16;
    else if (vMode < 1.5) d = max(0.866 * abs(p.x) + 0.5 * p.y, -p.y) - 0.44;
    else if (vMode < 2.5) d = max(abs(p.x), abs(p.y)) - 0.56;
    else if (vMode < 3.5) d = length(p) - 0.64;
    else d = 0.7071 * (abs(p.x) + abs(p.y)) - 0.5;
    float soft = max(fwidth(d), 1e-4);
    float rim = vMode < 0.5 && length(p) < 0.5 ? 1.0 : 1.0 - smoothstep(0.2 - soft, 0.2, d);
    if (rim <= 0.0) discard;
    gl_FragColor = vec4(mix(vTint, vec3(1.0), smoothstep(-soft, soft, d)), rim);
  }`;
