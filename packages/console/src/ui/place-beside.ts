const gap = 6;
const edge = 8;

/** Puts a box above its anchor, or below where there is no room, inside of the window. */
export function placeBeside(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const above = at.top - height - gap;
  const left = at.left + at.width / 2 - width / 2;
  box.style.top = `${above >= edge ? above : Math.min(at.bottom + gap, window.innerHeight - height - edge)}px`;
  box.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge))}px`;
}
