import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Place } from '../list/types.ts'

interface Props {
  place: Place
  className?: string
  title?: string
  onClick?: () => void
  children: ReactNode
}

/** A link to a screen of the table; its address names a merchant when the thing is another's. */
export const PlaceLink = ({ place, ...rest }: Props) => <Link {...(place as { to: string })} {...rest} />

/** Goes to a place. */
export function useGo() {
  const navigate = useNavigate()
  return (place: Place) => navigate(place as { to: string })
}

/** Goes to a place from a form whose record is saved or gone: nobody is asked whether to leave it, whatever stands in it by now. */
export function useLeave() {
  const navigate = useNavigate()
  return (place: Place) => navigate({ ...(place as { to: string }), ignoreBlocker: true })
}
