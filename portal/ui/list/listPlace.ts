import type { AnyEndpoint, HandlerInput } from '#contract/frame/endpoint.ts'
import type { PeriodPreset } from '#domain/time/period.ts'
import type { Place } from '../../app/place.ts'

type QueryOf<E> = HandlerInput<E> extends { query: infer Q } ? Q : never
type QueryValue<V> = V extends readonly (infer One)[] ? readonly One[] : V
type Filters<E> = { readonly [K in keyof QueryOf<E>]?: QueryValue<QueryOf<E>[K]> } & { readonly period?: PeriodPreset }

/** A list under filters, by the names and values of its endpoint: `listPlace<typeof alarms.listAlarms>('/alarms', …)`. */
export const listPlace = <E extends AnyEndpoint>(to: string, filters: Filters<E>): Place => ({
  to,
  search: Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  ),
})
