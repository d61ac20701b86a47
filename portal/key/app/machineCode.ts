/** The code of a machine in what its QR image says (an address that ends with `/m/{code}`), or in what was typed. */
export function machineCodeOf(text: string): string | undefined {
  const bare = text.toLowerCase().replaceAll(/[\s-]/g, '')
  const start = bare.lastIndexOf('/m/')
  return /^([0-9a-f]{12})(?:[/?#]|$)/.exec(start < 0 ? bare : bare.slice(start + 3))?.[1]
}
