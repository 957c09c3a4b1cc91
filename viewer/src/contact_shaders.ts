// How contacts look. Colours are in sRGB throughout: these are signs, not lit surfaces. With GHOST, what bodies
// hide is drawn faintly.

const kTint = `
  attribute float mode; attribute float open; attribute float residual;
  uniform vec3 modeColours[8]; uniform vec3 paleColour; uniform vec3 ramp[5]; uniform float byResidual;
  varying vec3 vTint;
  // 1e-16 and below is the ramp's start, 1e-6 and above its end.
  vec3 calcTint() {
    float shade = residual > 0.0 ? clamp((log(residual) / log(10.0) + 16.0) / 10.0, 0.0, 1.0) : 0.0;
    float x = 4.0 * shade;
    vec3 onRamp = ramp[0];
    for (int i = 0; i < 4; ++i) onRamp = mix(onRamp, ramp[i + 1], clamp(x - float(i), 0.0, 1.0));
    vec3 ofMode = modeColours[0];
    for (int i = 1; i < 8; ++i) if (mode > float(i) - 0.5) ofMode = modeColours[i];
    // Pale: other forces give the same motion.
    return mix(mix(ofMode, onRamp, byResidual), paleColour, 0.55 * open);
  }`;

// FORCE: the impulse on b, to scale. SLIP: b's velocity past a. NORMAL: a thin line along the normal. Widths
// are parts of the distance to the camera and of a body's size, whichever is less.
export const kArrowShader = `${kTint}
  attribute vec3 at; attribute vec3 impulse; attribute vec3 along; attribute vec3 slip; attribute float head;
  uniform float forceLength; uniform float slipLength; uniform float mostLength; uniform float bodySize;
  varying vec3 vNormal;
  void main() {
    float away = -(modelViewMatrix * vec4(at, 1.0)).z;
    float thick = min(0.0023 * away, 0.045 * bodySize);
    #if defined(NORMAL)
      vec3 z = normalize(along);
      float reach = min(0.05 * away, 0.8 * bodySize);
      float headLength = 0.0;
      float shaftRadius = 0.5 * thick;
      vTint = vec3(0.48, 0.52, 0.55);
    #else
      #if defined(SLIP)
        vec3 arrow = slipLength * slip;
        vTint = vec3(0.1, 0.12, 0.14);
      #else
        vec3 arrow = forceLength * impulse;
        vTint = calcTint();
      #endif
      float size = length(arrow);
      vec3 z = size > 0.0 ? arrow / size : vec3(0.0, 0.0, 1.0);
      float reach = min(size, mostLength);
      float headLength = min(8.5 * thick, 0.5 * reach);
      float shaftRadius = size > 0.0 ? min(thick, 0.12 * headLength) : 0.0;
    #endif
    vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z));
    vec3 y = cross(z, x);
    float radius = head > 0.5 ? 0.38 * headLength : shaftRadius;
    float height = head > 0.5 ? reach - headLength * (1.0 - position.z)
                              : (reach - headLength) * position.z;
    vec3 out_ = position.x * x + position.y * y;
    vNormal = mat3(viewMatrix) * out_;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(at + radius * out_ + height * z, 1.0);
  }`;

export const kArrowFragmentShader = `
  varying vec3 vTint; varying vec3 vNormal;
  void main() {
    float light = 0.78 + 0.32 * clamp(dot(normalize(vNormal + 1e-6), vec3(-0.3, 0.75, 0.6)), -0.6, 1.0);
    #ifdef GHOST
      gl_FragColor = vec4(vTint, 0.2);
    #else
      gl_FragColor = vec4(vTint * light, 1.0);
    #endif
  }`;

// The friction cone about the normal: as high as the normal force is long, so that the arrow of a contact that
// slides ends on its rim.
export const kConeShader = `${kTint}
  attribute vec3 at; attribute vec3 impulse; attribute vec3 along; attribute float friction;
  uniform float forceLength; uniform float mostLength;
  varying float vRim;
  void main() {
    vec3 z = normalize(along);
    float reach = min(forceLength * max(dot(impulse, z), 0.0), mostLength);
    vec3 x = normalize(cross(abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), z));
    vec3 y = cross(z, x);
    vec3 p = at + reach * position.z * (z + friction * (position.x * x + position.y * y));
    vTint = calcTint();
    vRim = position.z;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
  }`;

export const kConeFragmentShader = `
  varying vec3 vTint; varying float vRim;
  void main() { gl_FragColor = vec4(vTint, vRim > 0.97 ? 0.8 : 0.16); }`;

// A square that faces the camera, markSize pixels across on either side of the contact.
export const kMarkShader = `${kTint}
  attribute vec3 at;
  uniform vec2 size; uniform float markSize; uniform float bodySize;
  varying vec2 vCorner; varying float vMode;
  void main() {
    // A little towards the camera: the surfaces that meet there must not hide it.
    vec4 p = modelViewMatrix * vec4(at, 1.0);
    p.xyz *= 1.0 - min(0.5, 0.12 * bodySize / length(p.xyz));
    gl_Position = projectionMatrix * p;
    gl_Position.xy += position.xy * markSize / size * 2.0 * gl_Position.w;
    vCorner = position.xy;
    vMode = mode;
    vTint = calcTint();
  }`;

// Separating: a ring. Sliding: a triangle. Sticking: a square. Resting: a disc. Touching without force: a
// diamond. Joint at its stop: a bar. Friction in a joint: a ring with a dot. Centre of pressure: a cross. Each
// with a pale rim that sets it off from bodies of its colour.
export const kMarkFragmentShader = `
  varying vec3 vTint; varying vec2 vCorner; varying float vMode;
  void main() {
    vec2 p = vCorner;
    float d;
    if (vMode < 0.5) d = abs(length(p) - 0.5) - 0.16;
    else if (vMode < 1.5) d = max(0.866 * abs(p.x) + 0.5 * p.y, -p.y) - 0.44;
    else if (vMode < 2.5) d = max(abs(p.x), abs(p.y)) - 0.56;
    else if (vMode < 3.5) d = length(p) - 0.64;
    else if (vMode < 4.5) d = 0.7071 * (abs(p.x) + abs(p.y)) - 0.5;
    else if (vMode < 5.5) d = max(abs(p.x) - 0.2, abs(p.y) - 0.62);
    else if (vMode < 6.5) d = min(abs(length(p) - 0.55) - 0.12, length(p) - 0.2);
    else d = min(max(abs(p.x) - 0.13, abs(p.y) - 0.68), max(abs(p.y) - 0.13, abs(p.x) - 0.68));
    float soft = max(fwidth(d), 1e-4);
    float rim = vMode < 0.5 && length(p) < 0.5 ? 1.0 : 1.0 - smoothstep(0.2 - soft, 0.2, d);
    if (rim <= 0.0) discard;
    gl_FragColor = vec4(mix(vTint, vec3(1.0), smoothstep(-soft, soft, d)), rim);
    #ifdef GHOST
      gl_FragColor.a *= 0.3;
    #endif
  }`;
