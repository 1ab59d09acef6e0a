const frames = 40;

/** The step in the canvas or the outline, whichever is shown. */
const elementOf = (id: string) =>
  document.querySelector<HTMLElement>(
    `.react-flow__node[data-id="${CSS.escape(id)}"], [data-outline-step="${CSS.escape(id)}"]`,
  );

/**
 * Gives the focus to a step once it is drawn. A dialog that closes gives the focus back to its opener, and a step that was
 * out of view is drawn a moment later, so it is tried for some frames.
 */
export function focusStep(id: string): void {
  let left = frames;
  let steady = 0;
  const attempt = () => {
    const element = document.querySelector('[role="dialog"]') ? null : elementOf(id);
    if (element && document.activeElement === element) steady++;
    else {
      steady = 0;
      element?.focus({ preventScroll: true });
    }
    if (--left > 0 && steady < 4) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
