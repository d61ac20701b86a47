import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Place } from '../../app/place.ts'

interface Props {
  place: Place
  className?: string
  title?: string
  onClick?: () => void
  children: ReactNode
}

/** A link to a screen of the table; its address names the record's merchant if it is not the current one. */
export const PlaceLink = ({ place, ...rest }: Props) => <Link {...(place as { to: string })} {...rest} />
