import { encode } from 'uqr'

/** A fifth may be dirty or scratched; the blank modules around it are part of the code. */
const look = { ecc: 'Q', border: 4 } as const

/** A text as a QR code, black on white in either theme, as large as its container. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, look)
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      width="100%"
      height="100%"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
