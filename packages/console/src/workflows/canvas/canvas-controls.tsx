import { MiniMap, Panel, useReactFlow, useViewport } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { IconButton } from '../../ui/icon-button.tsx';

const words = flowTexts.toolbar;

/** Zoom and the small map. */
export function CanvasControls() {
  const { zoomIn, zoomOut, zoomTo, fitView } = useReactFlow();
  const fit = () => void fitView({ maxZoom: 1, padding: 0.15 });
  useShortcuts([
    { keys: '+', label: words.zoomIn, onPress: () => void zoomIn() },
    { keys: '-', label: words.zoomOut, onPress: () => void zoomOut() },
    { keys: '0', label: words.actualSize, onPress: () => void zoomTo(1) },
    { keys: '1', label: words.fit, onPress: fit },
  ]);
  return (
    <>
      <Panel
        position="bottom-left"
        className="flex items-center rounded-3 border border-line bg-surface px-1 py-0.5 shadow-2"
      >
        <IconButton label={words.zoomOut} keys="−" icon={<Minus size={15} />} onClick={() => void zoomOut()} />
        <Zoom onPress={() => void zoomTo(1)} />
        <IconButton label={words.zoomIn} keys="+" icon={<Plus size={15} />} onClick={() => void zoomIn()} />
        <IconButton label={words.fit} keys="1" icon={<Maximize size={15} />} onClick={fit} />
      </Panel>
      <MiniMap
        pannable
        zoomable
        ariaLabel={words.map}
        bgColor="var(--surface)"
        maskColor="color-mix(in srgb, var(--bg) 60%, transparent)"
        nodeColor="var(--control)"
        className="rounded-3 border border-line max-narrow:hidden"
        style={{ width: 140, height: 90 }}
      />
    </>
  );
}

/** The zoom in figures; the only part that is drawn again while the canvas moves. */
function Zoom({ onPress }: { onPress: () => void }) {
  const { zoom } = useViewport();
  return (
    <button
      type="button"
      aria-label={words.actualSize}
      onClick={onPress}
      className="num min-h-6 w-13 rounded-1 text-dense text-text-2 hover:bg-sunken"
    >
      {words.zoom(Math.round(zoom * 100))}
    </button>
  );
}
