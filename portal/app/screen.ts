import type { ComponentType, ReactNode } from 'react'
import type { Permission } from '#contract/access.ts'
import type { Requirement } from './enabled.ts'

/** The groups of the side menu, by a person's day; the last one is the provider's. */
export type MenuGroup =
  | 'today'
  | 'machines'
  | 'rounds'
  | 'money'
  | 'reports'
  | 'customers'
  | 'catalogue'
  | 'organisation'
  | 'platform'

/** A screen: routes, menu, guards, breadcrumbs and the command palette all come from these rows. */
export interface Screen extends Requirement {
  /** The address; names start with `$`. */
  path: `/${string}`
  needs: Permission
  load: () => Promise<{ default: ComponentType }>
  /** Key of its name under `screens` in shell.json. */
  label: string
  /** Its language files, fetched beside its code. */
  words: readonly string[]
  /**
   * Its entry in the side menu, whose groups are in portal/screens.ts and whose icons in portal/shell/menu/screenIcons.ts; a screen without one is
   * reached from others.
   */
  menu?: {
    /** Pressed after `g`, leads here. */
    key?: string
    /** A small number beside the name. */
    count?: () => Promise<{ default: () => ReactNode }>
  }
  /** What other areas show on it, from portal/screens.ts. */
  parts?: readonly ComponentType[]
  /** The screen above it, for breadcrumbs. */
  parent?: string
  /** The screen whose page has this tab; that screen renders an Outlet. */
  tabOf?: string
}

/** One of several screens of a file. */
export const part = <Name extends string>(file: Record<Name, ComponentType>, name: Name) => ({ default: file[name] })
