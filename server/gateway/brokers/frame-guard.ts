import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Why a connection was cut. */
export type GuardRefusal = 'notMqtt' | 'oversized' | 'tooSlow'

export interface GuardLimits {
  /** Maximum bytes of the first packet, which arrives before the sender is known. */
  firstPacketBytes: number
  /** Maximum bytes of a message, and of any other packet. */
  publishBytes: number
  otherBytes: number
  /** Maximum time from a packet's first byte to its last. */
  packetMs: number
}

const connect = 1
const publish = 3
/** A packet larger than this is read only when there is room for all of it. */
const largeBytes = 16 * 1024

/** Counts the bytes of the next packet. Returns null when there is no room, and calls `proceed` later. */
export type Reserve = (guard: FrameGuard, bytes: number) => (() => void) | null

/**
 * Sits between a socket and the broker and reads the packets' headers (MQTT 3.1.1, section 2.2). It cuts off a packet that
 * announces too many bytes, before storing any of it, and a packet that takes too long. A large packet waits for room.
 * Until `open`, only the first packet passes. While paused it reads nothing, so that the network makes the sender wait.
 */
export class FrameGuard extends Duplex {
  readonly socket: Socket
  readonly #limits: GuardLimits
  readonly #reserve: Reserve
  readonly #onRefusal: (refusal: GuardRefusal, announcedBytes: number) => void
  #isOpen = false
  #isHeld = false
  /** Bytes that arrived before `open`. */
  #early: Buffer | undefined
  #packets = 0
  /** The packet being read: its type, or -1 between packets; the length so far; the bytes still missing. */
  #type = -1
  #length = 0
  #lengthBytes = 0
  #left = -1
  #isWithoutRoom = false
  #release: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(
    socket: Socket,
    limits: GuardLimits,
    calls: { reserve: Reserve; onRefusal: (refusal: GuardRefusal, announcedBytes: number) => void },
  ) {
    super({ allowHalfOpen: false })
    this.socket = socket
    this.#limits = limits
    this.#reserve = calls.reserve
    this.#onRefusal = calls.onRefusal
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** Lets all packets pass from here on. */
  open(): void {
    this.#isOpen = true
    this.proceed()
  }

  /** Continues after a wait for room. */
  proceed(): void {
    const early = this.#early
    this.#early = undefined
    if (early) this.#take(early)
    else this.#flow()
  }

  hold(): void {
    this.#isHeld = true
    this.socket.pause()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  release(): void {
    this.#isHeld = false
    if (this.#type !== -1) this.#startTimer()
    this.#flow()
  }

  #flow(): void {
    if (!this.#isHeld && !this.#early) this.socket.resume()
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    const end = this.#inspect(chunk)
    if (end === null) return
    const passed = end === chunk.length ? chunk : chunk.subarray(0, end)
    if (end < chunk.length) this.#early = chunk.subarray(end)
    const hasRoom = passed.length === 0 || this.push(passed)
    if (!hasRoom || this.#early || this.#isHeld) this.socket.pause()
  }

  /** Follows the packets through a chunk. Returns how many bytes may pass; null: the connection is cut. */
  #inspect(chunk: Buffer): number | null {
    let at = 0
    while (at < chunk.length) {
      if (this.#type === -1) {
        if (!this.#isOpen && this.#packets === 1) return at
        this.#type = (chunk[at++] as number) >> 4
        this.#length = 0
        this.#lengthBytes = 0
        this.#left = -1
        if (this.#packets === 0 && this.#type !== connect) return this.#refuse('notMqtt', 0)
        continue
      }
      if (this.#left === -1) {
        const byte = chunk[at++] as number
        this.#length += (byte & 0x7f) * 128 ** this.#lengthBytes++
        if (byte >= 0x80) {
          if (this.#lengthBytes === 4) return this.#refuse('notMqtt', 0)
          continue
        }
        if (this.#length > this.#limit()) return this.#refuse('oversized', this.#length)
        this.#left = this.#length
        this.#isWithoutRoom = this.#length > largeBytes
      }
      if (this.#isWithoutRoom) {
        const release = this.#reserve(this, this.#length)
        if (!release) return at
        this.#isWithoutRoom = false
        this.#release = release
      }
      const step = Math.min(this.#left, chunk.length - at)
      this.#left -= step
      at += step
      if (this.#left > 0) break
      this.#packets += 1
      this.#type = -1
      this.#release?.()
      this.#release = undefined
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
    if (this.#type !== -1 && !this.#timer) this.#startTimer()
    return at
  }

  #limit(): number {
    if (this.#packets === 0) return this.#limits.firstPacketBytes
    return this.#type === publish ? this.#limits.publishBytes : this.#limits.otherBytes
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#refuse('tooSlow', this.#length), this.#limits.packetMs)
    this.#timer.unref()
  }

  #refuse(refusal: GuardRefusal, announcedBytes: number): null {
    this.#onRefusal(refusal, announcedBytes)
    this.destroy()
    return null
  }

  override _read(): void {
    this.#flow()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#release?.()
    this.#release = undefined
    this.#early = undefined
    this.socket.destroy()
    done(error)
  }
}
