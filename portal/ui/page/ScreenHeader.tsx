import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useHere } from '#portal/app/here.ts'
import classes from './ScreenHeader.module.css'

interface Props {
  title: ReactNode
  /** The browser tab's title, when `title` is not a text. */
  documentTitle?: string
  /** Beside the title: a count, a badge. */
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
}

/** Breadcrumbs, title, badges, and the screen's main actions. */
export function ScreenHeader({ title, documentTitle, aside, subtitle, actions }: Props) {
  const named = documentTitle ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    document.title = named ? `${named} · Gettone` : 'Gettone'
  }, [named])
  return (
    <header className={classes.header}>
      <Breadcrumbs />
      <div className={classes.line}>
        <div className={classes.words}>
          <div className={classes.titleLine}>
            <h1 className={classes.title}>{title}</h1>
            {aside !== undefined && <span className={classes.aside}>{aside}</span>}
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </header>
  )
}

/** The path to this screen; empty on the first level. */
function Breadcrumbs() {
  const { t } = useTranslation('shell')
  const here = useHere()
  const above = here?.ancestors.filter(({ path }) => path !== here.screen.tabOf) ?? []
  if (above.length === 0) return null
  return (
    <nav aria-label={t('breadcrumbs')} className={classes.crumbs}>
      {above.map(({ path, label }, index) => (
        <span key={path}>
          {index > 0 && (
            <span aria-hidden className={classes.slash}>
              /
            </span>
          )}
          <Link to={path} params={(params: object) => params} state={{ isReturn: true }} className={classes.crumb}>
            {t(`screens.${label}`)}
          </Link>
        </span>
      ))}
    </nav>
  )
}
