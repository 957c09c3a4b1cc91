// Materials whose two-tone patterns make rotation visible, drawn in the shader from body
// coordinates.

import { MeshStandardMaterial, type WebGLProgramParametersWithUniforms } from "three";

export type Pattern = "ball" | "roller" | "box" | "hollow" | "plain";

// Each yields `tone`, 0 ... 1: how far the surface goes from the body's colour towards white.
const kTones: Record<Pattern, string> = {
  // Six gores and two caps, as on a beach ball.
  ball: `
    float gore = sin(3.0 * atan(vLocal.y, vLocal.x));
    float goreEdge = max(fwidth(gore), 1e-4);
    float cap = abs(vLocal.z) / max(length(vLocal), 1e-6);
    float capEdge = max(fwidth(cap), 1e-4);
    float tone = 0.78 * mix(smoothstep(-goreEdge, goreEdge, gore), 0.0,
                            smoothstep(0.93 - capEdge, 0.93 + capEdge, cap));`,
  // Four sectors about the axis.
  roller: `
    float sector = vLocal.x * vLocal.y / max(dot(vLocal.xy, vLocal.xy), 1e-9);
    float sectorEdge = max(fwidth(sector), 1e-4);
    float tone = 0.5 * smoothstep(-sectorEdge, sectorEdge, sector);`,
  // A lighter line of even width along the edges.
  box: `
    vec3 inset = (1.0 - abs(vLocal)) * vScale;
    float largest = max(inset.x, max(inset.y, inset.z));
    float edge = inset.x + inset.y + inset.z - largest - min(inset.x, min(inset.y, inset.z));
    float width = 0.07 * min(vScale.x, min(vScale.y, vScale.z));
    float pixelWidth = max(fwidth(edge), 1e-6);
    // A line narrower than a pixel fades instead of flickering.
    float tone = 0.45 * min(1.0, 2.0 * width / pixelWidth) *
                 (1.0 - smoothstep(width - 0.5 * pixelWidth, width + 0.5 * pixelWidth, edge));`,
  // Lines of height and of azimuth, every 15 and 30 degrees.
  hollow: `
    vec2 angles = vec2(acos(clamp(-vLocal.z, -1.0, 1.0)), atan(vLocal.y, vLocal.x) * 0.5);
    vec2 lines = angles / radians(15.0);
    vec2 off = abs(fract(lines + 0.5) - 0.5) / max(fwidth(lines), vec2(1e-6));
    float tone = 0.55 * (1.0 - smoothstep(0.6, 1.6, min(off.x, off.y)));`,
  plain: "float tone = 0.0;",
};

// A sky with a bright zone overhead, mirrored as by a varnished surface: what a map of surroundings would
// add, without the map.
const kSheen = `
    vec3 toCamera = normalize(vViewPosition);
    vec3 mirrored = reflect(-toCamera, normal);
    float overhead = dot(mirrored, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    float grazing = 1.0 - max(dot(normal, toCamera), 0.0);
    float mirror = 0.035 + 0.3 * pow(grazing, 5.0);
    vec3 seen = mix(vec3(0.32, 0.31, 0.29), vec3(0.9, 0.95, 1.0), smoothstep(-0.25, 0.35, overhead)) +
                1.4 * smoothstep(0.72, 0.95, overhead);
    outgoingLight += mirror * seen;`;

export function makeSurface(pattern: Pattern): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    roughness: 0.5,
    metalness: 0.0,
  });
  material.onBeforeCompile = (shader) => addPattern(shader, kTones[pattern]);
  material.customProgramCacheKey = () => pattern;
  return material;
}

function addPattern(shader: WebGLProgramParametersWithUniforms, tone: string): void {
  shader.vertexShader =
    "varying vec3 vLocal;\nvarying vec3 vScale;\n" +
    shader.vertexShader.replace(
      "#include <begin_vertex>",
      `#include <begin_vertex>
      vLocal = position;
      vScale = vec3(1.0);
      #ifdef USE_INSTANCING
        vScale = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz),
                      length(instanceMatrix[2].xyz));
      #endif`,
    );
  shader.fragmentShader =
    "varying vec3 vLocal;\nvarying vec3 vScale;\n" +
    shader.fragmentShader.replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      ${tone}
      diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.96), tone);`,
    ).replace(
      "#include <opaque_fragment>",
      `${kSheen}
      #include <opaque_fragment>`,
    );
}
