/** Whether a PIN of 8 digits is easy to guess: few digits, a run, or a repeated part. */
export function isSimplePin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const steps = new Set(digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10))
  const isRun = steps.size === 1
  const isRepeated = pin.slice(0, 4) === pin.slice(4)
  return isRun || isRepeated || new Set(digits).size < 4
}
