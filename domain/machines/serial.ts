/**
 * How serials are compared, wherever a user has typed one: labels and users do not agree on capitals. Serials that wait for a machine are
 * stored like this; a machine's own serial stays as it reports it, because it signs in with it.
 */
export const serialKey = (serial: string): string => serial.trim().toUpperCase()

export const isSameSerial = (one: string, other: string): boolean => serialKey(one) === serialKey(other)
