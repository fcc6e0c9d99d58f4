import { Column, Entity, JoinColumn, JoinTable, ManyToMany, ManyToOne, PrimaryColumn } from 'typeorm'

@Entity('teams')
export class Team {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  name: string
}

@Entity('roles')
export class Role {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  name: string
  @Column('text', { nullable: true })
  description: string | null
}

@Entity('users')
export class User {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  email: string
  @Column('text', { select: false })
  normalized_email: string
  @Column('text')
  name: string
  @Column('text', { select: false })
  password_hash: string
  @ManyToOne(() => Team)
  @JoinColumn({ name: 'team_id' })
  team: Team | null
  @ManyToMany(() => Role)
  @JoinTable({
    name: 'user_roles',
    joinColumn: { name: 'user_id' },
    inverseJoinColumn: { name: 'role_id' },
  })
  roles: Role[]
}
