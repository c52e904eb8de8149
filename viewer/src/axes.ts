// The directions of x, y and z in a corner of the picture.
import * as THREE from "three";

function letter(text: string, colour: string): THREE.Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d")!;
  context.font = "bold 44px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 32, 34);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false }));
  sprite.scale.setScalar(0.75);
  return sprite;
}

export class CornerAxes {
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.OrthographicCamera(-1.6, 1.6, 1.6, -1.6, 0, 10);

  constructor() {
    const axes: [string, string, THREE.Vector3][] = [["x", "#d64541", new THREE.Vector3(1, 0, 0)], ["y", "#3c9a4e", new THREE.Vector3(0, 1, 0)], ["z", "#3f6fd8", new THREE.Vector3(0, 0, 1)]];
    for (const [name, colour, axis] of axes) {
      const material = new THREE.MeshBasicMaterial({ color: colour }), group = new THREE.Group();
      group.add(new THREE.Mesh(new THREE.CylinderGeometry(0.05, 0.05, 0.8, 10).translate(0, 0.4, 0), material));
      group.add(new THREE.Mesh(new THREE.ConeGeometry(0.13, 0.3, 14).translate(0, 0.92, 0), material));
      group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis);
      const label = letter(name, colour);
      label.position.copy(axis).multiplyScalar(1.34);
      this.scene.add(group, label);
    }
  }

  // As the main camera sees them, into the lower left corner.
  draw(renderer: THREE.WebGLRenderer, main: THREE.Camera): void {
    const kSide = 84, kMargin = 6;
    this.camera.quaternion.copy(main.quaternion);
    this.camera.position.set(0, 0, 5).applyQuaternion(main.quaternion);
    const size = renderer.getSize(new THREE.Vector2());
    renderer.autoClear = false;
    renderer.setViewport(kMargin, kMargin, kSide, kSide);
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
    renderer.setViewport(0, 0, size.x, size.y);
    renderer.autoClear = true;
  }
}
