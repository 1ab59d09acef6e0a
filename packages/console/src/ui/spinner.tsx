import { LoaderCircle } from 'lucide-react';

/** For short waits inside a control. With reduced motion it stands still; the control's words say what happens. */
export const Spinner = ({ size = 14 }: { size?: number }) => (
  <LoaderCircle size={size} aria-hidden className="animate-[spin_900ms_linear_infinite]" />
);
