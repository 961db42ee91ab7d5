// The front end of a Stage: paints the frames that the kernel sends and reports the pointer.
//
// Kernel → browser   frame {x, y, full, width, height, handles} + PNG of the part that changed
//                    done  the last pointer event has been dealt with
// Browser → kernel   hello {scale}            a view was opened, please send the whole picture
//                    drag | drop | add | remove | hover  {i, x, y} in picture pixels
//
// One event is under way at a time. What happens meanwhile is merged into one waiting event,
// so that the picture follows the pointer however slow a frame is, and never lags behind.

const REACH = 14; // how near to a point the pointer takes hold of it, in pixels

function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "mllab-stage";
  box.style.width = `${model.get("width")}px`;
  const canvas = document.createElement("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  const ring = document.createElement("div");
  ring.className = "mllab-ring";
  box.append(canvas, ring);
  el.append(box);

  const relabel = () => canvas.setAttribute("aria-label", model.get("label"));
  model.on("change:label", relabel);
  relabel();

  // ---- frames -------------------------------------------------------------------------
  let handles = [];
  let painting = Promise.resolve();

  async function paint(message, buffer) {
    const bitmap = await createImageBitmap(new Blob([buffer], { type: "image/png" }));
    if (canvas.width !== message.width || canvas.height !== message.height) {
      if (!message.full) return; // a patch for a picture this view has not seen
      canvas.width = message.width;
      canvas.height = message.height;
    }
    canvas.getContext("2d").drawImage(bitmap, message.x, message.y);
    bitmap.close();
    const mine = handles[chosen];
    handles = message.handles;
    if (waiting.some((event) => event.kind === "drag" && event.i === chosen)) handles[chosen] = mine;
    canvas.style.touchAction = handles.length ? "none" : "auto"; // a finger drags, or scrolls the page
    canvas.dataset.frames = Number(canvas.dataset.frames || 0) + 1;
    if (held === null) hover(lastPointer);
  }

  // ---- pointer ------------------------------------------------------------------------
  let held = null; // index of the point being dragged
  let chosen = 0; // index of the point that the keys move
  let pressed = null; // where the pointer went down on empty ground
  let lastPointer = null;
  let underWay = false;
  let waiting = [];

  function tell(event) {
    const last = waiting[waiting.length - 1];
    if (last && last.kind === event.kind && ["drag", "hover"].includes(event.kind)) waiting.pop();
    waiting.push(event);
    sendNext();
  }

  function sendNext() {
    if (underWay || !waiting.length) return;
    underWay = true;
    model.send(waiting.shift());
  }

  function position(event) {
    const shown = canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - shown.left) / shown.width) * model.get("width"),
      y: ((event.clientY - shown.top) / shown.height) * model.get("height"),
    };
  }

  function pick(at) {
    let best = null;
    let reach = REACH ** 2;
    handles.forEach(([x, y], i) => {
      const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
      if (distance < reach) [best, reach] = [i, distance];
    });
    return best;
  }

  function showRing(at) {
    ring.style.display = at ? "block" : "none";
    if (!at) return;
    const zoom = canvas.clientWidth / model.get("width");
    ring.style.transform = `translate(${at.x * zoom}px, ${at.y * zoom}px)`;
  }

  let hovered = null;
  function hover(at) {
    const i = at ? pick(at) : null;
    canvas.style.cursor = i === null ? (model.get("adds") ? "crosshair" : "default") : "grab";
    showRing(i === null ? null : { x: handles[i][0], y: handles[i][1] });
    if (i !== hovered && model.get("hovers")) tell({ kind: "hover", i, ...(at ?? { x: 0, y: 0 }) });
    hovered = i;
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = position(event);
    const i = pick(at);
    if (i !== null && event.shiftKey) {
      tell({ kind: "remove", i, ...at });
    } else if (i !== null) {
      held = i;
      canvas.setPointerCapture(event.pointerId);
      canvas.style.cursor = "grabbing";
    } else {
      pressed = at;
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    lastPointer = position(event);
    if (held === null || !(event.buttons & 1)) return hover(lastPointer);
    showRing(lastPointer); // drawn here, so that it keeps up with the hand
    tell({ kind: "drag", i: held, ...lastPointer });
  });
  canvas.addEventListener("pointerup", (event) => {
    const at = position(event);
    if (held !== null) tell({ kind: "drop", i: held, ...at });
    else if (pressed && model.get("adds") && !event.shiftKey) tell({ kind: "add", i: null, ...at });
    held = pressed = null;
  });
  canvas.addEventListener("pointerleave", () => {
    lastPointer = null;
    if (held === null) hover(null);
  });

  // Arrow keys move a point, Page Up and Page Down choose which, Delete removes it.
  const STEPS = { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4] };
  canvas.addEventListener("keydown", (event) => {
    if (!handles.length) return;
    chosen = Math.min(chosen, handles.length - 1);
    const turn = { PageUp: handles.length - 1, PageDown: 1 }[event.key];
    const [x, y] = handles[chosen];
    if (turn) chosen = (chosen + turn) % handles.length;
    else if (event.key === "Delete") tell({ kind: "remove", i: chosen, x, y });
    else if (STEPS[event.key]) {
      const [dx, dy] = STEPS[event.key];
      handles[chosen] = [x + dx, y + dy];
      tell({ kind: "drag", i: chosen, x: x + dx, y: y + dy });
    } else return;
    event.preventDefault();
    event.stopPropagation(); // or the notebook takes the arrow for its own
    showRing({ x: handles[chosen]?.[0], y: handles[chosen]?.[1] });
  });

  function receive(message, buffers) {
    if (message.kind === "frame") {
      painting = painting.then(() => paint(message, buffers[0]));
    } else if (message.kind === "done") {
      underWay = false;
      sendNext();
    }
  }
  model.on("msg:custom", receive);
  model.send({ kind: "hello", scale: window.devicePixelRatio || 1 });
  return () => {
    model.off("msg:custom", receive);
    model.off("change:label", relabel);
  };
}

export default { render };
