import { faultOf, type SignInProvider, type Tokens } from './signIn.ts'

const renewAheadMs = 60_000
/** A token this close to its end is renewed before it is used. */
const tooOldMs = 15_000
/** Waits between tries while the network or the provider is unavailable; about a minute in total. */
const patience = [1_000, 2_000, 5_000, 10_000, 20_000, 20_000]

/** The tokens of a session: only in memory, and renewed before they expire. */
export function openTokens(
  { provider, now, wait }: { provider: SignInProvider; now: () => number; wait: (ms: number) => Promise<void> },
  session: {
    /** Takes renewed tokens, and keeps them. */
    accept: (next: Tokens) => Promise<void>
    /** No tokens can be obtained; `isAway`: because the network or the provider is unavailable. */
    giveUp: (reason: string, isAway: boolean) => Promise<void>
  },
) {
  let tokens: Tokens | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let renewing: Promise<string | undefined> | undefined

  async function silentWithPatience(): Promise<Tokens> {
    for (const pause of patience) {
      try {
        return await provider.silent()
      } catch (error) {
        if (faultOf(error).kind !== 'transient') throw error
        await wait(pause)
        if (!tokens) throw error
      }
    }
    return provider.silent()
  }

  async function renewOnce(): Promise<string | undefined> {
    try {
      await session.accept(await silentWithPatience())
    } catch (error) {
      const fault = faultOf(error)
      if (!tokens) return undefined
      try {
        if (fault.kind !== 'interactionRequired') throw fault
        await session.accept(await provider.popup())
      } catch (last) {
        const reason = last === fault ? fault.message : `${fault.message}; ${faultOf(last).message}`
        await session.giveUp(reason, last === fault && fault.kind === 'transient')
      }
    }
    return tokens?.accessToken
  }

  /** New tokens, with one renewal for concurrent callers. Ends in an automatic logout if none can be obtained. */
  function renew(): Promise<string | undefined> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    current: () => tokens,
    keep(next: Tokens) {
      tokens = next
      clearTimeout(timer)
      const until = Math.max(1_000, next.expiresAt - now() - renewAheadMs)
      // Timers have 31 bits.
      timer = setTimeout(() => void renew(), Math.min(until, 2_000_000_000))
    },
    forget() {
      clearTimeout(timer)
      tokens = undefined
    },
    /** The current access token; renewed first when it is about to expire. */
    fresh(): string | undefined | Promise<string | undefined> {
      if (!tokens) return undefined
      return tokens.expiresAt - now() > tooOldMs ? tokens.accessToken : renew()
    },
    renew,
  }
}

export type OpenTokens = ReturnType<typeof openTokens>
