import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { type PanelKey, panelOfPlace, panelText, useOpenPanel } from '#portal/app/panel.ts'
import type { Place } from '../../app/place.ts'
import { useIsPhone } from '../useIsPhone.ts'

interface Props {
  place: Place
  className?: string
  title?: string
  onClick?: () => void
  /** Opens the record's page, never its panel. */
  isPage?: boolean
  /** The panel of the record, where the place is not its page. */
  panel?: PanelKey
  children: ReactNode
}

/**
 * A link to a screen of the table; its address names the record's merchant if it is not the current one. The name of a record that has a panel
 * opens the panel on a plain click. Enter, a click with a key held and another button open the page, and so does any click on a phone and in a
 * dialog, which would cover the panel.
 */
export function PlaceLink({ isPage = false, panel: ownPanel, ...props }: Props) {
  const panel = isPage ? undefined : (ownPanel ?? panelOfPlace(props.place))
  return panel ? <PanelLink {...props} panel={panel} /> : <PageLink {...props} />
}

type LinkProps = Omit<Props, 'isPage' | 'panel' | 'onClick'> & { onClick?: (event: MouseEvent<HTMLElement>) => void }

const PageLink = ({ place, ...rest }: LinkProps) => <Link {...(place as { to: string })} {...rest} />

function PanelLink({ panel, onClick, ...rest }: LinkProps & { panel: PanelKey }) {
  const open = useOpenPanel()
  const isPhone = useIsPhone()
  return (
    <PageLink
      {...rest}
      data-panel={panelText(panel)}
      onClick={(event) => {
        onClick?.(event)
        if (isPhone || !isPlainClick(event) || isInDialog(event)) return
        event.preventDefault()
        open(panel)
      }}
    />
  )
}

/** A click of the first button without a key; Enter on a link is a click too, but counts no presses. */
export const isPlainClick = ({ button, detail, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && detail > 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

const isInDialog = ({ currentTarget }: MouseEvent) => currentTarget.closest('[aria-modal=true]') !== null
