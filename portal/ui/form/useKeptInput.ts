import { useLocation } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, use, useEffect, useRef, useState } from 'react'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Search } from '#portal/app/search.ts'
import { SessionContext } from '#portal/app/session/useSession.ts'
import { toast } from '../../app/toast/toast.tsx'
import { dropInput, type InputPlace, inputAt, keepInput } from './keptInput.ts'

/** The address without list state. A change of the merchant, or of a text's language, opens another record at the same place. */
export const recordIn = ({ pathname, search }: { pathname: string; search: unknown }) =>
  [pathname, (search as Search).merchant, (search as Search).language].join(' ')

const restMs = 200

interface KeptInputOptions<T> {
  /** The form at its address; of a form that several records share there, with the record's id. */
  name: string
  /** What is kept; without secrets. */
  input: T
  isDirty: boolean
  /** Puts the kept input back, once, after the form has started. */
  restore: (input: T) => void
  /** The form itself says that its input was restored; otherwise a short message does. */
  isQuiet?: boolean
}

/**
 * Keeps unsaved input in the tab when the session ends, and restores it when its user is back at the form. Input that was saved, or
 * whose form was left, is erased. Returns whether input was restored.
 */
export function useKeptInput<T>({ name, input, isDirty, restore, isQuiet = false }: KeptInputOptions<T>): boolean {
  const session = use(SessionContext)
  const merchant = useMerchant()
  const address = useLocation({ select: recordIn })
  const userId = session?.state().me?.id
  const form = `${address} ${name}`
  const [start] = useState(() => {
    const place: InputPlace | undefined = userId === undefined ? undefined : { userId, merchantId: merchant.id, form }
    return { place, input: place && (inputAt(place) as T | undefined) }
  })
  const isHere = start.place?.merchantId === merchant.id && start.place.form === form
  const place = isHere ? start.place : undefined
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    if (start.input === undefined) return
    restore(start.input)
    setRestored(true)
    if (!isQuiet) toast.success('ui:form.restored')
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form starts
  }, [])

  // The latest input is stored once typing rests, and when the form goes because the session has ended.
  const latest = useRef({ input, isDirty })
  latest.current = { input, isDirty }
  const wasDirty = useRef(false)
  useEffect(() => {
    if (!place) return
    if (!isDirty) {
      if (wasDirty.current) dropInput(place)
      wasDirty.current = false
      return
    }
    wasDirty.current = true
    const timer = setTimeout(() => keepInput(place, input), restMs)
    return () => clearTimeout(timer)
  }, [place, isDirty, input])
  useEffect(() => {
    if (!place) return
    const keep = () => latest.current.isDirty && keepInput(place, latest.current.input)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      const { me, ending } = session?.state() ?? {}
      if (me === null && ending === 'autoLogout') keep()
      else if (me) dropInput(place)
    }
  }, [place, session])
  return isRestored
}

/** A value typed outside a form of a schema, such as in a dialog; kept like a form's. */
export function useKeptState<T>(name: string, initial: T | (() => T)): [T, Dispatch<SetStateAction<T>>] {
  const [first] = useState(initial)
  const [value, setValue] = useState(first)
  useKeptInput({ name, input: value, isDirty: value !== first, restore: setValue })
  return [value, setValue]
}
