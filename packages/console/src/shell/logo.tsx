export const Logo = ({ size = 24 }: { size?: number }) => (
  <span
    aria-hidden
    className="grid flex-none place-items-center rounded-2 bg-accent text-on-accent"
    style={{ width: size, height: size }}
  >
    <svg
      viewBox="0 0 24 24"
      width={size * 0.68}
      height={size * 0.68}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M5 19V9.500L12 5l7 4.500V19M5 19h14M9.500 19v-5.500a2.500 2.500 0 0 1 5 0V19" />
    </svg>
  </span>
);
