// Solids of many bodies drawn at once: a body more costs its matrix, not a call of the graphics driver.
import * as THREE from "three";
import type { Frame } from "./data";

interface Piece {
  geometry: THREE.BufferGeometry;
  body: number; // the frame that it moves with
  joint?: number;
  onBody: THREE.Matrix4;
  colour: THREE.Color;
}

// All in one batch have the same attributes: an index, position and normal.
function plain(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.deleteAttribute("uv");
  if (!geometry.index) geometry.setIndex([...Array(geometry.getAttribute("position").count).keys()]);
  return geometry;
}

export class Solids {
  mesh?: THREE.BatchedMesh;
  private readonly pieces: Piece[] = [];
  private readonly bodies = new Set<number>(); // that have any
  private readonly matrix = new THREE.Matrix4();
  private readonly colour = new THREE.Color();

  // `bodyOf`: whose a frame is that pieces are put into.
  constructor(private readonly material: THREE.Material, private readonly bodyOf: (frame: number) => number) {}

  has(body: number): boolean {
    return this.bodies.has(body);
  }

  add(geometry: THREE.BufferGeometry, body: number, frame: Frame, colour: string, joint?: number): void {
    const onBody = new THREE.Matrix4().compose(
      new THREE.Vector3().fromArray(frame.p), new THREE.Quaternion().fromArray(frame.q), new THREE.Vector3(1, 1, 1));
    this.bodies.add(this.bodyOf(body));
    this.pieces.push({ geometry: plain(geometry), body, joint, onBody, colour: new THREE.Color(colour) });
  }

  // To be called once, when all pieces are there. A geometry that several pieces share is kept once.
  build(): THREE.BatchedMesh | undefined {
    if (this.pieces.length === 0) return undefined;
    const geometries = new Map<THREE.BufferGeometry, number>();
    let vertices = 0, indices = 0;
    for (const geometry of new Set(this.pieces.map((piece) => piece.geometry))) {
      vertices += geometry.getAttribute("position").count;
      indices += geometry.index!.count;
    }
    const mesh = new THREE.BatchedMesh(this.pieces.length, vertices, indices, this.material);
    mesh.frustumCulled = mesh.perObjectFrustumCulled = mesh.sortObjects = false;
    for (const piece of this.pieces) {
      const known = geometries.get(piece.geometry) ?? mesh.addGeometry(piece.geometry);
      geometries.set(piece.geometry, known);
      mesh.setColorAt(mesh.addInstance(known), piece.colour);
    }
    return (this.mesh = mesh);
  }

  // `bodies`: where each is.
  move(bodies: THREE.Object3D[]): void {
    if (!this.mesh?.visible) return;
    for (let k = 0; k < this.pieces.length; ++k) {
      const piece = this.pieces[k];
      this.mesh.setMatrixAt(k, this.matrix.multiplyMatrices(bodies[piece.body].matrix, piece.onBody));
    }
  }

  // Makes one body stand out; −1: none.
  brighten(body: number): void {
    this.pieces.forEach((piece, k) => {
      this.mesh?.setColorAt(k, this.colour.copy(piece.colour).multiplyScalar(this.bodyOf(piece.body) === body ? 1.7 : 1));
    });
  }

  // What a ray meets: by the number that the mesh gives to a piece.
  at(piece: number): { body: number; joint?: number } {
    const { body, joint } = this.pieces[piece];
    return { body: this.bodyOf(body), joint };
  }

  // Grows `box` by what the bodies reach at their present places.
  measure(bodies: THREE.Object3D[], box: THREE.Box3): void {
    const one = new THREE.Box3();
    for (const piece of this.pieces) {
      if (!piece.geometry.boundingBox) piece.geometry.computeBoundingBox();
      box.union(one.copy(piece.geometry.boundingBox!).applyMatrix4(this.matrix.multiplyMatrices(bodies[piece.body].matrix, piece.onBody)));
    }
  }
}
