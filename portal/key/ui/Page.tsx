import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { usePortal } from '../app/usePortal.ts'

/** A screen below a main place: its title, and the way back. */
export function Page({
  title,
  back = '/',
  isMain = false,
  isWide = false,
  children,
}: {
  title: string
  back?: string
  /** One of the places of the bar: no way back. */
  isMain?: boolean
  isWide?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation('key-app')
  useTitle(title)
  return (
    <div className={isWide ? 'page wide' : 'page'}>
      <header className="bar">
        {!isMain && (
          <Link to={back} className="back" aria-label={t('back')}>
            <IconChevronLeft aria-hidden />
          </Link>
        )}
        <h1>{title}</h1>
      </header>
      {children}
    </div>
  )
}

export function useTitle(title: string) {
  const name = usePortal().data?.name
  useEffect(() => {
    document.title = name && name !== title ? `${title} · ${name}` : title
  }, [title, name])
}
