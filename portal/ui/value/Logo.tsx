/** The coin: a gold rim around the bars of a selection panel. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="var(--gold-fill)" />
      <circle cx="16" cy="16" r="11.5" fill="none" stroke="#fff8ea" strokeWidth="1.6" />
      <path d="M11.5 11v10M14.5 9v14M17.5 9v14M20.5 11v10" stroke="#fff8ea" strokeWidth="1.7" strokeLinecap="round" />
    </svg>
  )
}
