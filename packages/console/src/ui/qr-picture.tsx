import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code as one path, dark on white in both themes: readers need the contrast. */
export function QrPicture({ text, label, size = 176 }: { text: string; label: string; size?: number }) {
  const grid = useMemo(() => encode(text, { ecc: 'M', border: 0 }).data, [text]);
  const path = grid.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  const side = grid.length + 8;
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`-4 -4 ${side} ${side}`}
      className="flex-none rounded-2"
    >
      <rect x="-4" y="-4" width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
