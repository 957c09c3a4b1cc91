// Ambient occlusion: what light from the sky does not reach, as dark creases and contact shadows. After
// McGuire, Mara and Luebke, Scalable Ambient Obscurance (2012), at half the picture's resolution.

import {
  Camera,
  CustomBlending,
  DepthTexture,
  DstColorFactor,
  HalfFloatType,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  OneFactor,
  type PerspectiveCamera,
  PlaneGeometry,
  RGFormat,
  Scene,
  ShaderMaterial,
  UnsignedIntType,
  Vector2,
  WebGLRenderTarget,
  type WebGLRenderer,
  ZeroFactor,
} from "three";

export const kSolidLayer = 1; // three.js layer of what darkens and is darkened

const kQuadShader = `
  varying vec2 vAt;
  void main() { vAt = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

// Twelve samples on a spiral that each pixel turns by its own angle; red is the light that arrives, green the
// distance from the camera.
const kOcclusionShader = `
  #define NUM_SAMPLES 12
  varying vec2 vAt;
  uniform sampler2D depth; uniform mat4 unproject; uniform vec2 pixel; uniform vec2 texels;
  uniform float reach; uniform float scale;
  vec3 pointAt(vec2 where) {
    vec2 at = (floor(clamp(where, 0.0, 0.9999) * texels) + 0.5) / texels; // the middle of a depth's pixel
    vec4 p = unproject * vec4(2.0 * vec3(at, texture2D(depth, at).x) - 1.0, 1.0);
    return p.xyz / p.w;
  }
  vec3 nearer(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }
  void main() {
    if (texture2D(depth, vAt).x >= 1.0) { gl_FragColor = vec4(1.0, 1e4, 0.0, 1.0); return; }
    vec3 p = pointAt(vAt);
    vec2 dx = vec2(pixel.x, 0.0), dy = vec2(0.0, pixel.y);
    vec3 n = normalize(cross(nearer(pointAt(vAt + dx) - p, p - pointAt(vAt - dx)),
                             nearer(pointAt(vAt + dy) - p, p - pointAt(vAt - dy))));
    // Sixteen angles in every square of four by four pixels, over which the blur takes the mean.
    vec2 place = mod(floor(gl_FragCoord.xy), 4.0);
    float turn = 6.2832 / 16.0 * mod(5.0 * place.x + 4.0 * mod(3.0 * place.y + place.x, 4.0), 16.0);
    float across = min(scale * reach / -p.z, 0.25); // of the picture's height
    float sum = 0.0;
    for (int i = 0; i < NUM_SAMPLES; ++i) {
      float part = (float(i) + 0.5) / float(NUM_SAMPLES);
      float angle = turn + part * 7.0 * 6.2832;
      vec2 off = across * part * vec2(cos(angle) * pixel.x / pixel.y, sin(angle));
      vec3 v = pointAt(vAt + off) - p;
      float vv = dot(v, v), vn = dot(v, n) - 0.004 * -p.z;
      float f = max(reach * reach - vv, 0.0);
      sum += f * f * f * max(vn / (vv + 1e-4 * reach * reach), 0.0);
    }
    float dark = 2.6 * sum / (float(NUM_SAMPLES) * pow(reach, 5.0));
    gl_FragColor = vec4(max(0.0, 1.0 - dark), -p.z, 0.0, 1.0);
  }`;

// A blur that does not cross edges, multiplied into the picture. `pixel` is that of the light, which has half
// the resolution; edges are those of the depths, which have all of it.
const kBlendShader = `
  varying vec2 vAt;
  uniform sampler2D light; uniform sampler2D depth; uniform vec2 pixel; uniform mat4 unproject;
  void main() {
    vec4 p = unproject * vec4(2.0 * vec3(vAt, texture2D(depth, vAt).x) - 1.0, 1.0);
    float own = -p.z / p.w;
    float sum = 1e-4, weights = 1e-4;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        vec2 other = texture2D(light, vAt + (vec2(float(i), float(j)) - 1.5) * pixel).xy;
        float weight = max(1e-4, 1.0 - 40.0 * abs(other.y - own) / own);
        sum += weight * other.x;
        weights += weight;
      }
    float arrives = sum / weights;
    gl_FragColor = vec4(mix(vec3(0.3, 0.31, 0.34), vec3(1.0), arrives), 1.0);
  }`;

export class Occlusion {
  private readonly depthTarget = new WebGLRenderTarget(1, 1);
  private readonly lightTarget = new WebGLRenderTarget(1, 1, {
    format: RGFormat,
    type: HalfFloatType,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
  });
  private readonly depthOnly = new MeshBasicMaterial({ colorWrite: false });
  private readonly find: ShaderMaterial;
  private readonly blend: ShaderMaterial;
  private readonly quad = new Mesh(new PlaneGeometry(2, 2));
  private readonly quadScene = new Scene();
  private readonly quadCamera = new Camera();

  constructor() {
    this.depthTarget.depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    this.find = new ShaderMaterial({
      vertexShader: kQuadShader,
      fragmentShader: kOcclusionShader,
      depthTest: false,
      depthWrite: false,
      uniforms: {
        depth: { value: this.depthTarget.depthTexture },
        unproject: { value: new Matrix4() },
        pixel: { value: new Vector2() }, // of the light, over the picture
        texels: { value: new Vector2() }, // of the depth
        reach: { value: 1 },
        scale: { value: 1 },
      },
    });
    this.blend = new ShaderMaterial({
      vertexShader: kQuadShader,
      fragmentShader: kBlendShader,
      depthTest: false,
      depthWrite: false,
      transparent: true,
      blending: CustomBlending,
      blendSrc: DstColorFactor,
      blendDst: ZeroFactor,
      blendSrcAlpha: ZeroFactor,
      blendDstAlpha: OneFactor,
      uniforms: {
        light: { value: this.lightTarget.texture },
        depth: { value: this.depthTarget.depthTexture },
        pixel: { value: new Vector2() },
        unproject: { value: new Matrix4() },
      },
    });
    this.quad.frustumCulled = false;
    this.quadScene.add(this.quad);
  }

  // Darkens the picture of `scene` that the renderer has just drawn; `reach` in metres.
  apply(
    renderer: WebGLRenderer,
    scene: Scene,
    camera: PerspectiveCamera,
    reach: number,
  ): void {
    const size = renderer.getDrawingBufferSize(new Vector2());
    this.depthTarget.setSize(size.x, size.y);
    this.find.uniforms.texels.value.copy(size);
    size.multiplyScalar(0.5).ceil();
    this.lightTarget.setSize(size.x, size.y);
    const clears = renderer.autoClear;
    const shadows = renderer.shadowMap.enabled;
    renderer.shadowMap.enabled = false;
    camera.layers.set(kSolidLayer);
    scene.overrideMaterial = this.depthOnly;
    renderer.setRenderTarget(this.depthTarget);
    renderer.autoClear = true;
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    camera.layers.set(0);
    renderer.shadowMap.enabled = shadows;

    const uniforms = this.find.uniforms;
    uniforms.unproject.value.copy(camera.projectionMatrixInverse);
    uniforms.pixel.value.set(1 / size.x, 1 / size.y);
    uniforms.reach.value = reach;
    uniforms.scale.value = 0.5 / Math.tan((Math.PI / 360) * camera.fov);
    this.draw(renderer, this.find, this.lightTarget);
    this.blend.uniforms.pixel.value.set(1 / size.x, 1 / size.y);
    this.blend.uniforms.unproject.value.copy(camera.projectionMatrixInverse);
    renderer.autoClear = false;
    this.draw(renderer, this.blend, null);
    renderer.autoClear = clears;
  }

  private draw(
    renderer: WebGLRenderer,
    material: ShaderMaterial,
    target: WebGLRenderTarget | null,
  ): void {
    this.quad.material = material;
    renderer.setRenderTarget(target);
    renderer.render(this.quadScene, this.quadCamera);
  }
}
