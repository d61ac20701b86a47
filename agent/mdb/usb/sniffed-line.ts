/** A block of the bus as an adapter of Qibixx logs it (`X,1`): `x,status,time,command,data` of the machine, `x,status,time,data` of a device. */
export interface SniffedBlock {
  isMachine: boolean
  /** Time of the adapter in steps of 0.1 ms. */
  tick: number
  /** Address and command of the machine's block. */
  command: number | null
  /** Empty for an ACK and for a poll. */
  data: Uint8Array
  isAck: boolean
}

const machine = /^x,0([\da-f]),(\d{1,10}),(?:([\da-f]{2}),((?:[\da-f]{2})*)|(ACK|NAK|RET))$/i
const device = /^x,8([\da-f]),(\d{1,10}),(?:((?:[\da-f]{2})+)|(ACK|NAK))$/i

const bytesOf = (hex = '') => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The block of a line; null for lines that are no block, are cut, or were disturbed on the bus (a status beside 0). */
export function readSniffed(line: string): SniffedBlock | null {
  const text = line.trim()
  const [, status, time, command, data, word] = machine.exec(text) ?? []
  if (time !== undefined) {
    const isAck = word?.toUpperCase() === 'ACK'
    if (status !== '0' || (word !== undefined && !isAck)) return null
    const number = command === undefined ? null : Number.parseInt(command, 16)
    return { isMachine: true, tick: Number(time), command: number, data: bytesOf(data), isAck }
  }
  const [, error, heard, answer, reply] = device.exec(text) ?? []
  if (heard === undefined || error !== '0' || reply?.toUpperCase() === 'NAK') return null
  return { isMachine: false, tick: Number(heard), command: null, data: bytesOf(answer), isAck: reply !== undefined }
}
