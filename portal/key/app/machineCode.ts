/** The code of a machine in what its QR image says (an address that ends with `/m/{code}`), or in what was typed. */
export function machineCodeOf(text: string): string | undefined {
  const [, code] =
    /(?:\/m\/|^)([0-9a-f]{12})(?:[/?#].*)?$/.exec(text.trim().toLowerCase().replaceAll(/[\s-]/g, '')) ?? []
  return code
}
