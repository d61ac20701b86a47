import { compactPostalCode, writePostalCode } from '#contract/rules/postal-code.ts'

export interface PostalRow {
  country: string
  /** Only capitals and digits, for the search. */
  compact: string
  code: string
  place: string
  province: string
  latitude: number | null
  longitude: number | null
}

/** Countries whose addresses name the larger division (a state, a department) and not the smaller one (a province, a district). */
const namesTheLarger = new Set('AR AT AU BR CA CL CO CZ DE GB MX PE PY SK US UY ZA'.split(' '))

const degrees = (text: string | undefined, most: number) => {
  const value = Number(text)
  return text?.trim() && Math.abs(value) <= most ? value : null
}

/**
 * A line of GeoNames' postal code files (download.geonames.org/export/zip): tab-separated country, code, place, names and codes
 * of three divisions, latitude, longitude, accuracy. Nothing for a line that is none.
 */
export function readPostalLine(line: string): PostalRow | undefined {
  const columns = line.replace(/^\ufeff/, '').split('\t')
  const [country = '', code = '', place = '', larger = '', , smaller = '', , , , latitude, longitude] = columns.map(
    (text) => text.trim(),
  )
  const compact = compactPostalCode(country, code)
  if (columns.length < 11 || !/^[A-Z]{2}$/.test(country) || !/^[\dA-Z]{1,20}$/.test(compact) || place === '')
    return undefined
  const province = (namesTheLarger.has(country) ? larger : smaller) || larger || smaller
  return {
    country,
    compact,
    code: writePostalCode(country, code),
    place,
    province,
    latitude: degrees(latitude, 90),
    longitude: degrees(longitude, 180),
  }
}
