/** Columns that make a row of text a table: no segment of EVA-DTS has these separators. */
const fewestColumns = 3

/** Whether a text that is no audit is a table of another system: its first lines have the same columns, or it is a workbook. */
export function isTable(bytes: Uint8Array): boolean {
  // XLSX is a ZIP file.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return true
  const [first = '', second] = new TextDecoder().decode(bytes.subarray(0, 8192)).split(/\r?\n/, 2)
  return [',', ';', '\t'].some((mark) => {
    const columns = first.split(mark).length
    return columns >= fewestColumns && (second === undefined || second.split(mark).length >= fewestColumns)
  })
}
