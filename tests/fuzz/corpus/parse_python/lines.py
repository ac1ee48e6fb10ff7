#!/bin/sh
# coding: utf-8
if x: \
  a; b
	c
